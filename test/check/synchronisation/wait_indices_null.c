// SPDX-License-Identifier: BSD-3-Clause
// A wait for some words has nowhere to store their indices.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [01]: shmem_long_wait_until_some: indices: must not be NULL
#include <shmem.h>

static long words[3];

int main(void) {
    shmem_init();
    shmem_long_wait_until_some(words, 3, NULL, NULL, SHMEM_CMP_EQ, 0);
    shmem_finalize();
    return 0;
}
