// SPDX-License-Identifier: BSD-3-Clause
// shmem_finalize is called once too often.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_finalize: called after shmem_finalize
#include <shmem.h>

int main(void) {
    shmem_init();
    shmem_finalize();
    shmem_finalize();
    return 0;
}
