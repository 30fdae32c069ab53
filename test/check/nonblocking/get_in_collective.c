// SPDX-License-Identifier: BSD-3-Clause
// The destination of a non-blocking get is reduced before the quiet; a sync completes nothing.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_long_sum_reduce: source 0x[0-9a-f]+, 32 bytes: is the destination of a shmem_getmem_nbi that no quiet has completed
#include <shmem.h>

static long words[4], copy[4], others[4];

int main(void) {
    shmem_init();
    shmem_getmem_nbi(copy, words, sizeof copy, 1);
    shmem_sync_all();
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, others, copy, 4);
    shmem_finalize();
    return 0;
}
