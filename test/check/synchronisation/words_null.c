// SPDX-License-Identifier: BSD-3-Clause
// The argument of a test for several words is named as in the specification, also where there is one word.
// pes: 1
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE 0: shmem_int_test_all: ivars: must be a symmetric address, not NULL$
#include <shmem.h>

int main(void) {
    shmem_init();
    shmem_int_test_all(NULL, 1, NULL, SHMEM_CMP_EQ, 0);
    shmem_finalize();
    return 0;
}
