// SPDX-License-Identifier: BSD-3-Clause
// A shared library with functions that PEs call on one another.
#include <shmemx.h>

#include "parts.h"

long of_library(long *at, long by) {
    return *localize(at) + by * 10;
}
RPC(of_library)

// The program has one of this name too.
static long same_name(long *at) {
    (void)at;
    return 2000 + shmem_my_pe();
}
RPC(same_name)

long call_same_name_of_library(long *at) {
    return same_name_rpc(at);
}
