// SPDX-License-Identifier: BSD-3-Clause
// MPPA's name; segments of its memory management are not there to be set here.
#include <mppa_async.h>
