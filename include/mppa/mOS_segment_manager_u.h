// SPDX-License-Identifier: BSD-3-Clause
// MPPA programs include this header for routines that set up address ranges in MPPA's memory management. Skerry has no
// such routines. The header exists so that the #include compiles.
#include <mppa_async.h>
