// SPDX-License-Identifier: BSD-3-Clause
// PEs of a context are those of its team: a PE that only the job has is out of range.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_ctx_long_p: pe 1: the context's team has PEs 0 to 0
#include <shmem.h>

static long word;

int main(void) {
    shmem_init();
    shmem_team_t first;
    shmem_ctx_t ctx;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 1, NULL, 0, &first);
    if (first != SHMEM_TEAM_INVALID && shmem_team_create_ctx(first, 0, &ctx) == 0) shmem_ctx_long_p(ctx, &word, 1, 1);
    shmem_finalize();
    return 0;
}
