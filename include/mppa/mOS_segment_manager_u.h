// SPDX-License-Identifier: BSD-3-Clause
// MPPA programs include this header to set segments of the memory management. Skerry has no routines for that.
#include <mppa_async.h>
