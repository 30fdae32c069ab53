// SPDX-License-Identifier: BSD-3-Clause
// MPPA programs include this header for routines about time stamps, caches, and the place where a program runs; mppa_async.h declares them.
#include <mppa_async.h>
