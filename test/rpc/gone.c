// SPDX-License-Identifier: BSD-3-Clause
// A call to a PE that has left the job is not run, and says so.
// pes: 2 3
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
    long *at = address_at(&calls, right_of(me));
    shmem_finalize();
    test_sleep_ms(50); // all have left
    require(count_rpc(at) == 0 && shmemx_rpc_status() == SHMEMX_RPC_GONE, "a call to a PE that has left");
    require(count_post(at) == SHMEMX_RPC_GONE, "a post to a PE that has left");
    long result = 5;
    shmemx_rpc_event_t event = count_async(at);
    require(shmemx_rpc_wait(&event, &result) == SHMEMX_RPC_GONE && result == 0, "an event of a PE that has left");
    return 0;
}
