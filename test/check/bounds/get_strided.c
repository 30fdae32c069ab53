// SPDX-License-Identifier: BSD-3-Clause
// A strided get whose destination's last block lies behind its block of memory.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_long_ibget: dest 0x[0-9a-f]+: 88 bytes .* the block of 80 bytes
#include <shmem.h>

static long words[12];

int main(void) {
    shmem_init();
    long *block = shmem_malloc(10 * sizeof *block);
    shmem_long_ibget(block, words, 9, 2, 2, 2, 1);
    shmem_finalize();
    return 0;
}
