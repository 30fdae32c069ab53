// SPDX-License-Identifier: BSD-3-Clause
// MPPA programs include this header for routines about the processor; mppa_async.h declares them.
#include <mppa_async.h>
