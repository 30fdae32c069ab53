// SPDX-License-Identifier: BSD-3-Clause
// Strided ranges that meet in one element; those that only interleave are right.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_long_iput: dest 0x[0-9a-f]+, source 0x[0-9a-f]+, 32 bytes: must not overlap
#include <shmem.h>

static long words[16];

int main(void) {
    shmem_init();
    shmem_long_iput(words + 1, words, 2, 2, 4, shmem_my_pe());
    shmem_long_iput(words + 1, words, 3, 2, 4, shmem_my_pe());
    shmem_finalize();
    return 0;
}
