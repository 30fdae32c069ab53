// SPDX-License-Identifier: BSD-3-Clause
// The destination of a non-blocking get is put on before the quiet.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_long_put: source 0x[0-9a-f]+, 16 bytes: is the destination of a shmem_long_get_nbi that no quiet has completed
#include <shmem.h>

static long words[4], copy[4], others[4];

int main(void) {
    shmem_init();
    shmem_long_get_nbi(copy, words, 4, 1);
    shmem_fence(); // orders, but completes nothing
    shmem_long_put(others, copy + 2, 2, 1);
    shmem_finalize();
    return 0;
}
