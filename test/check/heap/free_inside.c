// SPDX-License-Identifier: BSD-3-Clause
// A PE frees what is not the start of a block; the line names that, not the other PE's pointer.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_free: ptr 0x[0-9a-f]+ points into an allocated block, not at its start
#include <shmem.h>

int main(void) {
    shmem_init();
    char *block = shmem_malloc(100);
    shmem_free(block + 16 * shmem_my_pe());
    shmem_finalize();
    return 0;
}
