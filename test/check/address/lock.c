// SPDX-License-Identifier: BSD-3-Clause
// A lock on the stack.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_set_lock: lock 0x[0-9a-f]+: is not symmetric
#include <shmem.h>

int main(void) {
    shmem_init();
    long lock = 0;
    shmem_set_lock(&lock);
    shmem_finalize();
    return 0;
}
