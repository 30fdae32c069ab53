// SPDX-License-Identifier: BSD-3-Clause
// Releasing a lock that another PE holds.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_clear_lock: lock: must be held by this PE
#include <shmem.h>

static long lock;

int main(void) {
    shmem_init();
    if (shmem_my_pe() == 0) shmem_set_lock(&lock);
    shmem_barrier_all();
    if (shmem_my_pe() == 1) shmem_clear_lock(&lock);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
