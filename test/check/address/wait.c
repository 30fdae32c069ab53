// SPDX-License-Identifier: BSD-3-Clause
// Waiting for a variable that nobody can put to.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_int_wait_until: ivar 0x[0-9a-f]+: is not symmetric
#include <shmem.h>

int main(void) {
    shmem_init();
    int word = 1;
    shmem_int_wait_until(&word, SHMEM_CMP_EQ, 1);
    shmem_finalize();
    return 0;
}
