// SPDX-License-Identifier: BSD-3-Clause
// MPPA programs include this header for routines that choose routes through the on-chip network. Skerry has no such
// routines. The header exists so that the #include compiles.
#include <mppa_async.h>
