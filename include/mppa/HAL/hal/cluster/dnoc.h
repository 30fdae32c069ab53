// SPDX-License-Identifier: BSD-3-Clause
// MPPA's name; queues of its network are not there to be looked at here.
#include <mppa_async.h>
