// SPDX-License-Identifier: BSD-3-Clause
// A signal on the stack.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_putmem_signal: sig_addr 0x[0-9a-f]+: is not symmetric
#include <shmem.h>

static long word;

int main(void) {
    shmem_init();
    uint64_t signal = 0;
    long value = 1;
    shmem_putmem_signal(&word, &value, sizeof value, &signal, 1, SHMEM_SIGNAL_SET, 1);
    shmem_finalize();
    return 0;
}
