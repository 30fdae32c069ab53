// SPDX-License-Identifier: BSD-3-Clause
// A put to NULL.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_putmem: dest: must be a symmetric address, not NULL
#include <shmem.h>

int main(void) {
    shmem_init();
    long value = 1;
    shmem_putmem(NULL, &value, sizeof value, 1);
    shmem_finalize();
    return 0;
}
