// SPDX-License-Identifier: BSD-3-Clause
// An atomic operation on a PE that the job does not have.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_int_atomic_fetch_add: pe 7: the job
#include <shmem.h>

static int word;

int main(void) {
    shmem_init();
    shmem_int_atomic_fetch_add(&word, 1, 7);
    shmem_finalize();
    return 0;
}
