// SPDX-License-Identifier: BSD-3-Clause
// A put before shmem_init.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_long_p: called before shmem_init
#include <shmem.h>

static long word;

int main(void) {
    shmem_long_p(&word, 1, 0);
    return 0;
}
