// SPDX-License-Identifier: BSD-3-Clause
// A put on a context that nobody created.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_ctx_long_p: ctx 0x1234: must be a context that shmem_ctx_create or shmem_team_create_ctx made
#include <shmem.h>

static long word;

int main(void) {
    shmem_init();
    shmem_ctx_long_p((shmem_ctx_t)0x1234, &word, 1, 1);
    shmem_finalize();
    return 0;
}
