// SPDX-License-Identifier: BSD-3-Clause
// What shmem_ptr returns is an address, but not a symmetric one.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_long_p: dest 0x[0-9a-f]+: is a pointer from shmem_ptr
#include <shmem.h>

static long word;

int main(void) {
    shmem_init();
    long *there = shmem_ptr(&word, 1);
    shmem_long_p(there, 1, 1);
    shmem_finalize();
    return 0;
}
