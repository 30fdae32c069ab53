// SPDX-License-Identifier: BSD-3-Clause
// A size that is a negative number.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_putmem: dest 0x[0-9a-f]+: 18446744073709551615 bytes .* of any object
#include <shmem.h>

static char buffer[200];

int main(void) {
    shmem_init();
    shmem_putmem(buffer, buffer, (size_t)-1, 1);
    shmem_finalize();
    return 0;
}
