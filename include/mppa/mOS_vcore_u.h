// SPDX-License-Identifier: BSD-3-Clause
// Programs for Kalray's MPPA processors include this header for routines about time stamps, caches, and the core on
// which a program runs. mppa_async.h declares these routines.
#include <mppa_async.h>
