// SPDX-License-Identifier: BSD-3-Clause
// A context is destroyed that nobody created.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_ctx_destroy: ctx 0xf000000000000008: must be a context that shmem_ctx_create or shmem_team_create_ctx made
#include <shmem.h>

int main(void) {
    shmem_init();
    shmem_ctx_destroy((shmem_ctx_t)0xf000000000000008);
    shmem_finalize();
    return 0;
}
