// SPDX-License-Identifier: BSD-3-Clause
// The team of a context that nobody created is asked for.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_ctx_get_team: ctx 0x10: must be a context that shmem_ctx_create or shmem_team_create_ctx made
#include <shmem.h>

int main(void) {
    shmem_init();
    shmem_team_t team;
    shmem_ctx_get_team((shmem_ctx_t)0x10, &team);
    shmem_finalize();
    return 0;
}
