// SPDX-License-Identifier: BSD-3-Clause
// A quiet for a PE that the job does not have.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_pe_quiet: pe 2: the job
#include <shmem.h>

int main(void) {
    shmem_init();
    int target = 2;
    shmem_pe_quiet(&target, 1);
    shmem_finalize();
    return 0;
}
