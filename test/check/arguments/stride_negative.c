// SPDX-License-Identifier: BSD-3-Clause
// A strided get with a negative local stride.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_iget32: dst -1: must be at least 1
#include <shmem.h>

static int words[4], values[4];

int main(void) {
    shmem_init();
    shmem_iget32(words + 3, values, -1, 1, 4, 1);
    shmem_finalize();
    return 0;
}
