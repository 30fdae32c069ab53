// SPDX-License-Identifier: BSD-3-Clause
// A get into the source of a non-blocking put before the quiet.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_long_get: dest 0x[0-9a-f]+, 32 bytes: is the source of a shmem_long_put_signal_nbi that no quiet has completed
#include <shmem.h>

static long words[4], values[4], others[4];
static uint64_t signal;

int main(void) {
    shmem_init();
    shmem_long_put_signal_nbi(words, values, 4, &signal, 1, SHMEM_SIGNAL_SET, 1);
    shmem_long_get(values, others, 4, 1);
    shmem_finalize();
    return 0;
}
