// SPDX-License-Identifier: BSD-3-Clause
// MPPA's name; routes of its network are not there to be chosen here.
#include <mppa_async.h>
