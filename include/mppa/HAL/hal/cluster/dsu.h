// SPDX-License-Identifier: BSD-3-Clause
// Programs for Kalray's MPPA processors include this header for routines about time stamps. mppa_async.h declares these
// routines.
#include <mppa_async.h>
