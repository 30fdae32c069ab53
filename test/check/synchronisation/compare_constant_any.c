// SPDX-License-Identifier: BSD-3-Clause
// A comparison that does not exist, for many words.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_int_wait_until_any: cmp -1: must be
#include <shmem.h>

static int words[2];

int main(void) {
    shmem_init();
    shmem_int_wait_until_any(words, 2, NULL, -1, 0);
    shmem_finalize();
    return 0;
}
