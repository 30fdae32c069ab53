// SPDX-License-Identifier: BSD-3-Clause
// The vector form of a test has no values to compare with.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [01]: shmem_uint64_test_any_vector: cmp_values: must not be NULL
#include <shmem.h>

static uint64_t words[3];

int main(void) {
    shmem_init();
    shmem_uint64_test_any_vector(words, 3, NULL, SHMEM_CMP_EQ, NULL);
    shmem_finalize();
    return 0;
}
