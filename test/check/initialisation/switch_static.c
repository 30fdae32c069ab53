// SPDX-License-Identifier: BSD-3-Clause
// The checks in the static library.
// pes: 2
// check: yes
// link: static
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_long_p: pe 2: the job has PEs 0 to 1
#include <shmem.h>

static long word;

int main(void) {
    shmem_init();
    shmem_long_p(&word, 1, 2);
    shmem_finalize();
    return 0;
}
