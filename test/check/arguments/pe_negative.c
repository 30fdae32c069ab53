// SPDX-License-Identifier: BSD-3-Clause
// A get from PE -1.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_getmem: pe -1: the job has PEs 0 to 1
#include <shmem.h>

static long word;

int main(void) {
    shmem_init();
    long copy;
    shmem_getmem(&copy, &word, sizeof copy, -1);
    shmem_finalize();
    return 0;
}
