// SPDX-License-Identifier: BSD-3-Clause
// The same through an address of shmem_ptr.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_getmem: dest 0x[0-9a-f]+, source 0x[0-9a-f]+, 16 bytes: must not overlap
#include <shmem.h>

static long words[8];

int main(void) {
    shmem_init();
    shmem_getmem((char *)shmem_ptr(words, 1) + 8, words, 16, 1);
    shmem_finalize();
    return 0;
}
