// SPDX-License-Identifier: BSD-3-Clause
// An interrupt number that there is not.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmemx_interrupt: number 4: must be 0 to 3
#include <shmemx.h>

int main(void) {
    shmem_init();
    shmemx_interrupt(0, SHMEMX_INTERRUPT_NUMBERS);
    shmem_finalize();
    return 0;
}
