// SPDX-License-Identifier: BSD-3-Clause
// An atomic operation on a word that is not aligned.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_uint64_atomic_add: dest 0x[0-9a-f]+: must be a multiple of the elements' size
#include <shmem.h>

static uint64_t words[4];

int main(void) {
    shmem_init();
    shmem_uint64_atomic_add((uint64_t *)(void *)((char *)words + 1), 1, 1);
    shmem_finalize();
    return 0;
}
