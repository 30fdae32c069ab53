// SPDX-License-Identifier: BSD-3-Clause
// Taking a lock twice.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_set_lock: lock: must not be held by this PE
#include <shmem.h>

static long lock;

int main(void) {
    shmem_init();
    shmem_set_lock(&lock);
    shmem_set_lock(&lock);
    shmem_finalize();
    return 0;
}
