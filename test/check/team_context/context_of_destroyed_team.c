// SPDX-License-Identifier: BSD-3-Clause
// A context dies with its team.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_ctx_long_p: ctx 0x[0-9a-f]+: was destroyed, by itself or with its team
#include <shmem.h>

static long word;

int main(void) {
    shmem_init();
    shmem_team_t team;
    shmem_ctx_t ctx;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 2, NULL, 0, &team);
    shmem_team_create_ctx(team, 0, &ctx);
    shmem_team_destroy(team);
    shmem_ctx_long_p(ctx, &word, 1, 1);
    shmem_finalize();
    return 0;
}
