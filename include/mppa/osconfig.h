// SPDX-License-Identifier: BSD-3-Clause
// Programs for Kalray's MPPA processors include this header for sizes of MPPA's operating system. Skerry has no such
// sizes. The header exists only so that such programs compile.
#include <mppa_async.h>
