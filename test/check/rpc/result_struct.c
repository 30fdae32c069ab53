// SPDX-License-Identifier: BSD-3-Clause
// A result that an event does not carry.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmemx_rpc_wait: result: must be NULL, because the function of this call returns a struct
#include <shmemx.h>

static long data[1];

struct pair {
    long first, second;
};
static struct pair both(long *at) {
    return (struct pair){*localize(at), 1};
}
RPC(both)

int main(void) {
    struct pair got;
    shmem_init();
    shmemx_rpc_event_t event = shmemx_rpc_async(both, (long *)shmem_ptr(data, 1 - shmem_my_pe()));
    shmemx_rpc_wait(&event, &got);
    shmem_finalize();
    return 0;
}
