// SPDX-License-Identifier: BSD-3-Clause
// A test of some words has nowhere to store their indices.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [01]: shmem_int_test_some_vector: indices: must not be NULL
#include <shmem.h>

static int words[3], values[3];

int main(void) {
    shmem_init();
    shmem_int_test_some_vector(words, 3, NULL, NULL, SHMEM_CMP_EQ, values);
    shmem_finalize();
    return 0;
}
