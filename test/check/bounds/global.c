// SPDX-License-Identifier: BSD-3-Clause
// A put to the global address of a block that is shorter.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [01]: shmem_long_put: dest 0x[0-9a-f]+: 32 bytes from byte 8 on reach past the end of the block of 32 bytes$
#include <shmem.h>
#include <shmemx.h>

int main(void) {
    shmem_init();
    long *block = shmem_calloc(4, sizeof *block);
    const long values[4] = {0};
    shmem_long_put(shmemx_global(block + 1, 1), values, 4, 1);
    shmem_finalize();
    return 0;
}
