// SPDX-License-Identifier: BSD-3-Clause
// A put to this PE itself, from a range into another that shares bytes with it.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_long_put: dest 0x[0-9a-f]+, source 0x[0-9a-f]+, 32 bytes: must not overlap
#include <shmem.h>

static long words[8];

int main(void) {
    shmem_init();
    shmem_long_put(words + 1, words, 4, shmem_my_pe());
    shmem_finalize();
    return 0;
}
