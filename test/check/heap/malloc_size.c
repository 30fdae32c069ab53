// SPDX-License-Identifier: BSD-3-Clause
// Allocations of different sizes.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_malloc: size 200: must be the same on all members. PE 0 has 100
#include <shmem.h>

int main(void) {
    shmem_init();
    shmem_malloc(shmem_my_pe() ? 200 : 100);
    shmem_finalize();
    return 0;
}
