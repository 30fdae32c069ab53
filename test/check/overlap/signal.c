// SPDX-License-Identifier: BSD-3-Clause
// A signal word inside the data that it announces.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_long_put_signal: sig_addr 0x[0-9a-f]+: must not lie inside the 32 bytes at dest
#include <shmem.h>

static long words[4], values[4];

int main(void) {
    shmem_init();
    shmem_long_put_signal(words, values, 4, (uint64_t *)(void *)&words[3], 1, SHMEM_SIGNAL_SET, 1);
    shmem_finalize();
    return 0;
}
