// SPDX-License-Identifier: BSD-3-Clause
// An atomic operation on a variable on the stack.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_long_atomic_inc: dest 0x[0-9a-f]+: is not symmetric
#include <shmem.h>

int main(void) {
    shmem_init();
    long word = 0;
    shmem_long_atomic_inc(&word, 1);
    shmem_finalize();
    return 0;
}
