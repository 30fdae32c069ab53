// SPDX-License-Identifier: BSD-3-Clause
// A function whose f_rpc other files call.
#include <shmemx.h>

#include "parts.h"

long of_other_file(long *at, long by) {
    return *localize(at) + by;
}
RPC(of_other_file)
