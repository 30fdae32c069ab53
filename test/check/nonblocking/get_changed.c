// SPDX-License-Identifier: BSD-3-Clause
// The destination of a non-blocking get is written before the quiet.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_long_get_nbi: dest 0x[0-9a-f]+, 32 bytes: was changed .at 0x[0-9a-f]+. before a quiet completed the get
#include <shmem.h>

static long words[4], copy[4];

int main(void) {
    shmem_init();
    shmem_long_get_nbi(copy, words, 4, 1);
    copy[2] = 7;
    shmem_quiet();
    shmem_finalize();
    return 0;
}
