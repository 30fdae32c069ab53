// SPDX-License-Identifier: BSD-3-Clause
// An interrupt of a PE that the job has not.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [01]: shmemx_interrupt: pe 99: the job has PEs 0 to 1
#include <shmemx.h>

int main(void) {
    shmem_init();
    shmemx_interrupt(99, 0);
    shmem_finalize();
    return 0;
}
