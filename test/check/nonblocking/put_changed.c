// SPDX-License-Identifier: BSD-3-Clause
// The source of a non-blocking put is written before the quiet.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_putmem_nbi: source 0x[0-9a-f]+, 32 bytes: was changed before a quiet completed the put
#include <shmem.h>

static long words[4], values[4];

int main(void) {
    shmem_init();
    shmem_putmem_nbi(words, values, sizeof values, 1);
    values[1] = 3;
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
