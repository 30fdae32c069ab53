// SPDX-License-Identifier: BSD-3-Clause
// The status array of a wait is shorter than the words.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [01]: shmem_long_wait_until_any: status 0x[0-9a-f]+: 32 bytes from byte 0 on reach past the end of the block of 16 bytes
#include <shmem.h>

static long words[8];

int main(void) {
    shmem_init();
    int *status = shmem_calloc(4, sizeof *status);
    shmem_long_wait_until_any(words, 8, status, SHMEM_CMP_EQ, 0);
    shmem_finalize();
    return 0;
}
