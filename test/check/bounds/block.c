// SPDX-License-Identifier: BSD-3-Clause
// One byte more than the block of the symmetric heap has been given, though the allocator rounds up.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_putmem: dest 0x[0-9a-f]+: 101 bytes from byte 0 on reach past the end of the block of 100 bytes
#include <shmem.h>

static char buffer[200];

int main(void) {
    shmem_init();
    char *block = shmem_malloc(100);
    shmem_putmem(block, buffer, 101, 1);
    shmem_finalize();
    return 0;
}
