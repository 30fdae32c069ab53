// SPDX-License-Identifier: BSD-3-Clause
// Static data is freed, by all PEs alike.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_free: ptr 0x[0-9a-f]+ is not in the symmetric heap
#include <shmem.h>

static long words[4];

int main(void) {
    shmem_init();
    shmem_free(words);
    shmem_finalize();
    return 0;
}
