// SPDX-License-Identifier: BSD-3-Clause
// A function that takes a lock while it runs for another PE.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_set_lock: called by wait_here, which runs for another PE and must not wait
#include <shmemx.h>

static long data[4];

static void wait_here(long *at) {
    (void)at;
    shmem_set_lock(&data[1]);
}
RPC(wait_here)

int main(void) {
    shmem_init();
    if (shmem_my_pe() == 0) wait_here_rpc(shmem_ptr(data, 1));
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
