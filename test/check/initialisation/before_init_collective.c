// SPDX-License-Identifier: BSD-3-Clause
// A barrier before shmem_init.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_barrier_all: called before shmem_init
#include <shmem.h>

int main(void) {
    shmem_barrier_all();
    return 0;
}
