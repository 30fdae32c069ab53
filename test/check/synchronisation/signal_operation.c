// SPDX-License-Identifier: BSD-3-Clause
// A signal operation that does not exist.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_putmem_signal: sig_op 5: must be SHMEM_SIGNAL_SET or SHMEM_SIGNAL_ADD
#include <shmem.h>

static long words[4], values[4];
static uint64_t signal;

int main(void) {
    shmem_init();
    shmem_putmem_signal(words, values, 8, &signal, 1, 5, 1);
    shmem_finalize();
    return 0;
}
