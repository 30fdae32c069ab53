// SPDX-License-Identifier: BSD-3-Clause
// MPPA programs include this header to learn how they were started; mppa_async.h declares the routines.
#include <mppa_async.h>
