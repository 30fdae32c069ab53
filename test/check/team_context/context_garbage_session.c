// SPDX-License-Identifier: BSD-3-Clause
// A session ends on a context that nobody created: an address inside a real one.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_ctx_session_stop: ctx 0x[0-9a-f]+: must be a context that shmem_ctx_create or shmem_team_create_ctx made
#include <shmem.h>

int main(void) {
    shmem_init();
    shmem_ctx_t ctx;
    shmem_ctx_create(0, &ctx);
    shmem_ctx_session_stop((shmem_ctx_t)((uintptr_t)ctx + sizeof(int)));
    shmem_finalize();
    return 0;
}
