// SPDX-License-Identifier: BSD-3-Clause
// A put on a context that was destroyed.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_ctx_long_p: ctx 0x[0-9a-f]+: was destroyed
#include <shmem.h>

static long word;

int main(void) {
    shmem_init();
    shmem_ctx_t ctx;
    shmem_ctx_create(0, &ctx);
    shmem_ctx_destroy(ctx);
    shmem_ctx_long_p(ctx, &word, 1, 1);
    shmem_finalize();
    return 0;
}
