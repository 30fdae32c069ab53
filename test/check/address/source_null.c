// SPDX-License-Identifier: BSD-3-Clause
// A put from NULL.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_putmem: source: must not be NULL
#include <shmem.h>

static long word;

int main(void) {
    shmem_init();
    shmem_putmem(&word, NULL, sizeof word, 1);
    shmem_finalize();
    return 0;
}
