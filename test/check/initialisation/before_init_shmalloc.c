// SPDX-License-Identifier: BSD-3-Clause
// An old name before shmem_init is told as the program called it.
// pes: 2
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmalloc: called before shmem_init
#include <shmem.h>

int main(void) {
    shmalloc(100);
    return 0;
}
