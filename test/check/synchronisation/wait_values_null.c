// SPDX-License-Identifier: BSD-3-Clause
// The vector form of a wait has no values to compare with.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [01]: shmem_long_wait_until_all_vector: cmp_values: must not be NULL
#include <shmem.h>

static long words[3];

int main(void) {
    shmem_init();
    shmem_long_wait_until_all_vector(words, 3, NULL, SHMEM_CMP_EQ, NULL);
    shmem_finalize();
    return 0;
}
