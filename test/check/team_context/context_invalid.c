// SPDX-License-Identifier: BSD-3-Clause
// An atomic operation on the invalid context; a quiet on it is right.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_ctx_long_atomic_inc: ctx: must not be SHMEM_CTX_INVALID
#include <shmem.h>

static long word;

int main(void) {
    shmem_init();
    shmem_ctx_quiet(SHMEM_CTX_INVALID);
    shmem_ctx_fence(SHMEM_CTX_INVALID);
    shmem_ctx_long_atomic_inc(SHMEM_CTX_INVALID, &word, 1);
    shmem_finalize();
    return 0;
}
