// SPDX-License-Identifier: BSD-3-Clause
// A context is created before shmem_init.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_ctx_create: called before shmem_init
#include <shmem.h>

int main(void) {
    shmem_ctx_t ctx;
    shmem_ctx_create(0, &ctx);
    return 0;
}
