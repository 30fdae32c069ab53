// SPDX-License-Identifier: BSD-3-Clause
// A quiet on another context does not complete a get.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_ctx_long_put: source 0x[0-9a-f]+, 32 bytes: is the destination of a shmem_ctx_long_get_nbi
#include <shmem.h>

static long words[4], copy[4], others[4];

int main(void) {
    shmem_init();
    shmem_ctx_t ctx;
    shmem_ctx_create(0, &ctx);
    shmem_ctx_long_get_nbi(ctx, copy, words, 4, 1);
    shmem_quiet();
    shmem_ctx_long_put(ctx, others, copy, 4, 1);
    shmem_finalize();
    return 0;
}
