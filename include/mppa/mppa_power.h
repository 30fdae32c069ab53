// SPDX-License-Identifier: BSD-3-Clause
// MPPA programs include this header for routines that start programs on clusters; mppa_async.h declares them.
#include <mppa_async.h>
