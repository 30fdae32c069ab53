// SPDX-License-Identifier: BSD-3-Clause
// PEs free different blocks.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_free: ptr .as an offset in the heap. [0-9]+: must be the same on all members. PE 0 has [0-9]+
#include <shmem.h>

int main(void) {
    shmem_init();
    void *blocks[2] = {shmem_malloc(100), shmem_malloc(100)};
    shmem_free(blocks[shmem_my_pe()]);
    shmem_finalize();
    return 0;
}
