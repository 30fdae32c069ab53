// SPDX-License-Identifier: BSD-3-Clause
// A PE leaves the job and has not run a call that it deferred. The wait for this call ends when its caller has left the job too, and
// says so.
// pes: 2 3 4
#include "rpc.h"

static long calls;

static long count(long *at) {
    return ++*localize(at);
}
RPC_ASYNC(count, (long *at), (at))

static void require(bool condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "PE %d: %s\n", me, what);
    _Exit(1);
}

int main(void) {
    test_begin();
    shmemx_rpc_defer(SHMEMX_RPC_URGENT);
    shmem_barrier_all();
    shmemx_rpc_event_t event = count_async(address_at(&calls, right_of(me)));
    shmem_barrier_all();
    shmem_finalize();
    long result = 5;
    require(shmemx_rpc_wait(&event, &result) == SHMEMX_RPC_GONE && result == 0, "a deferred call has a result");
    require(calls == 0, "a deferred call was run");
    return 0;
}
