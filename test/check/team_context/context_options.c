// SPDX-License-Identifier: BSD-3-Clause
// A context is created with an option that does not exist.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_ctx_create: options 0x7000: must be SHMEM_CTX_SERIALIZED, SHMEM_CTX_PRIVATE
#include <shmem.h>

int main(void) {
    shmem_init();
    shmem_ctx_t ctx;
    shmem_ctx_create(0x7000, &ctx);
    shmem_finalize();
    return 0;
}
