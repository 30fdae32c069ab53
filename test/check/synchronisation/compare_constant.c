// SPDX-License-Identifier: BSD-3-Clause
// A comparison that does not exist.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_long_test: cmp 9: must be one of the SHMEM_CMP_ constants
#include <shmem.h>

static long word;

int main(void) {
    shmem_init();
    shmem_long_test(&word, 9, 0);
    shmem_finalize();
    return 0;
}
