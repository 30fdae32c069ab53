// SPDX-License-Identifier: BSD-3-Clause
// A non-blocking fetching atomic has nowhere to store what it fetches.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [01]: shmem_long_atomic_fetch_add_nbi: fetch: must not be NULL
#include <shmem.h>

static long word;

int main(void) {
    shmem_init();
    shmem_long_atomic_fetch_add_nbi(NULL, &word, 1, 0);
    shmem_finalize();
    return 0;
}
