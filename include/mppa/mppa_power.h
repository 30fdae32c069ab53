// SPDX-License-Identifier: BSD-3-Clause
// MPPA's name for what is in mppa_async.h: starting programs on clusters.
#include <mppa_async.h>
