// SPDX-License-Identifier: BSD-3-Clause
// An address is asked for before shmem_init.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_ptr: called before shmem_init
#include <shmem.h>

static long word;

int main(void) {
    shmem_ptr(&word, 0);
    return 0;
}
