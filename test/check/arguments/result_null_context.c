// SPDX-License-Identifier: BSD-3-Clause
// A context is created and has nowhere to be stored.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [01]: shmem_ctx_create: ctx: must not be NULL
#include <shmem.h>

int main(void) {
    shmem_init();
    shmem_ctx_create(0, NULL);
    shmem_finalize();
    return 0;
}
