// SPDX-License-Identifier: BSD-3-Clause
// Programs for Kalray's MPPA processors include this header for routines that set up address ranges in MPPA's memory
// management. Skerry has no such routines. The header exists only so that such programs compile.
#include <mppa_async.h>
