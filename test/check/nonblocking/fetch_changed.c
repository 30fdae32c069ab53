// SPDX-License-Identifier: BSD-3-Clause
// The result of a non-blocking fetching atomic is overwritten before the quiet.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_long_atomic_fetch_add_nbi: dest 0x[0-9a-f]+, 8 bytes: was changed
#include <shmem.h>

static long word;

int main(void) {
    shmem_init();
    long before;
    shmem_long_atomic_fetch_add_nbi(&before, &word, 1, 1);
    before = 0;
    shmem_quiet();
    if (before < 0) return 2;
    shmem_finalize();
    return 0;
}
