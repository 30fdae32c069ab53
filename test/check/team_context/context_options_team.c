// SPDX-License-Identifier: BSD-3-Clause
// A context of a team is created with an option that does not exist.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_team_create_ctx: options 0xfff.*: must be SHMEM_CTX_SERIALIZED
#include <shmem.h>

int main(void) {
    shmem_init();
    shmem_ctx_t ctx;
    shmem_team_create_ctx(SHMEM_TEAM_WORLD, -8, &ctx);
    shmem_finalize();
    return 0;
}
