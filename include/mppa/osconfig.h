// SPDX-License-Identifier: BSD-3-Clause
// MPPA programs include this header for sizes of MPPA's operating system. Skerry has no such sizes. The header exists
// so that the #include compiles.
#include <mppa_async.h>
