// SPDX-License-Identifier: BSD-3-Clause
// A get of one element has a NULL destination.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [01]: shmem_long_get: dest: must not be NULL
#include <shmem.h>

static long word;

int main(void) {
    shmem_init();
    shmem_long_get(NULL, &word, 1, 0);
    shmem_finalize();
    return 0;
}
