// SPDX-License-Identifier: BSD-3-Clause
// A reduction into a variable on the stack.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_int_sum_reduce: dest 0x[0-9a-f]+: is not symmetric
#include <shmem.h>

static int word;

int main(void) {
    shmem_init();
    int sum;
    shmem_int_sum_reduce(SHMEM_TEAM_WORLD, &sum, &word, 1);
    shmem_finalize();
    return 0;
}
