// SPDX-License-Identifier: BSD-3-Clause
// A put into a variable on the stack.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_long_put: dest 0x[0-9a-f]+: is not symmetric
#include <shmem.h>

int main(void) {
    shmem_init();
    long word = 0, value = 1;
    shmem_long_put(&word, &value, 1, 1);
    shmem_finalize();
    return 0;
}
