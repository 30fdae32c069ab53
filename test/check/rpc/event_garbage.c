// SPDX-License-Identifier: BSD-3-Clause
// Testing what is no event.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmemx_rpc_test: event 0x12345678: no call with this event is under way
#include <shmemx.h>

static long data[4];

static long twice(long *at) {
    return 2 * *localize(at);
}
RPC(twice)

int main(void) {
    shmem_init();
    shmemx_rpc_event_t event = {0x12345678};
    shmemx_rpc_test(&event, NULL);
    shmem_finalize();
    return (int)twice_rpc(data);
}
