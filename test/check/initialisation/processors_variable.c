// SPDX-License-Identifier: BSD-3-Clause
// SKERRY_PROCESSORS with what is no number.
// pes: 2
// env: SKERRY_PROCESSORS=2x
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: SKERRY_PROCESSORS=2x: must be a whole number
#include <shmem.h>

int main(void) {
    shmem_init();
    shmem_finalize();
    return 0;
}
