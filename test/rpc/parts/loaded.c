// SPDX-License-Identifier: BSD-3-Clause
// A shared library that PEs load, and unload, while they run.
#include <shmemx.h>

long of_loaded(long *at, long by);
long of_loaded(long *at, long by) {
    return *localize(at) + by;
}
RPC_ASYNC(of_loaded, (long *at, long by), (at, by))

shmemx_rpc_event_t begin_of_loaded(long *at, long by);
shmemx_rpc_event_t begin_of_loaded(long *at, long by) {
    return of_loaded_async(at, by);
}
