// SPDX-License-Identifier: BSD-3-Clause
// A put whose source runs over the end of the static data.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_putmem: source 0x[0-9a-f]+: 16777216 bytes .* past the end
#include <shmem.h>

static char buffer[200];

int main(void) {
    shmem_init();
    char *block = shmem_malloc((size_t)1 << 24);
    shmem_putmem(block, buffer, (size_t)1 << 24, 1);
    shmem_finalize();
    return 0;
}
