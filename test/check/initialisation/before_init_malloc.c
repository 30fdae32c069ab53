// SPDX-License-Identifier: BSD-3-Clause
// An allocation before shmem_init.
// pes: 2
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_malloc: called before shmem_init
#include <shmem.h>

int main(void) {
    shmem_malloc(100);
    return 0;
}
