// SPDX-License-Identifier: BSD-3-Clause
// The same on a context.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [01]: shmem_ctx_uint_atomic_fetch_xor_nbi: fetch: must not be NULL
#include <shmem.h>

static unsigned word;

int main(void) {
    shmem_init();
    shmem_ctx_uint_atomic_fetch_xor_nbi(SHMEM_CTX_DEFAULT, NULL, &word, 1, 0);
    shmem_finalize();
    return 0;
}
