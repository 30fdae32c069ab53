// SPDX-License-Identifier: BSD-3-Clause
// The team of a context has nowhere to be stored.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [01]: shmem_ctx_get_team: team: must not be NULL
#include <shmem.h>

int main(void) {
    shmem_init();
    shmem_ctx_get_team(SHMEM_CTX_DEFAULT, NULL);
    shmem_finalize();
    return 0;
}
