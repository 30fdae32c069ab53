// SPDX-License-Identifier: BSD-3-Clause
// Waiting for an event that has ended: a copy of it was waited for.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmemx_rpc_wait: event 0x[0-9a-f]+: no call with this event is under way
#include <shmemx.h>

static long data[4];

static long twice(long *at) {
    return 2 * *localize(at);
}
RPC(twice)

int main(void) {
    shmem_init();
    shmemx_rpc_event_t event = shmemx_rpc_async(twice, (long *)shmem_ptr(data, 1)), copy = event;
    shmemx_rpc_wait(&event, NULL);
    shmemx_rpc_wait(&copy, NULL);
    shmem_finalize();
    return 0;
}
