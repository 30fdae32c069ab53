// SPDX-License-Identifier: BSD-3-Clause
// A handler of an interrupt that enters a barrier.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_barrier_all: called by a handler, which runs for another PE and must not wait
#include <shmemx.h>

static void wait_here(void) {
    shmem_barrier_all();
}

int main(void) {
    shmem_init();
    shmemx_on_interrupt(1, wait_here);
    shmem_barrier_all();
    shmemx_interrupt(1 - shmem_my_pe(), 1);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
