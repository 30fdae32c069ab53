// SPDX-License-Identifier: BSD-3-Clause
// A put that runs over the end of the static data.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_putmem: dest 0x[0-9a-f]+: 1073741824 bytes from there on reach past the end of the program's static data
#include <shmem.h>

static char buffer[200];

int main(void) {
    shmem_init();
    shmem_putmem(buffer, buffer, (size_t)1 << 30, 1);
    shmem_finalize();
    return 0;
}
