// SPDX-License-Identifier: BSD-3-Clause
// Waiting for a word of another PE, by its global address.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [01]: shmem_long_wait_until: ivar 0x[0-9a-f]+: is the global address of an object of PE [01], and must be one of this PE$
#include <shmem.h>
#include <shmemx.h>

static long word = 1;

int main(void) {
    shmem_init();
    shmem_long_wait_until(shmemx_global(&word, 1 - shmem_my_pe()), SHMEM_CMP_EQ, 1);
    shmem_finalize();
    return 0;
}
