// SPDX-License-Identifier: BSD-3-Clause
// Without checks, an overrun between two blocks that both stay allocated: no heap routine comes upon it before the end.
// pes: 2
// expect-exit: 1
// expect-stderr: ^skerry: PE [01]: shmem_finalize: the block of up to 104 bytes at 0x[0-9a-f]+: something wrote past its end
#include <shmem.h>
#include <string.h>

int main(void) {
    shmem_init();
    char *first = shmem_malloc(100), *second = shmem_malloc(100);
    memset(first, 7, 112);
    shmem_barrier_all();
    shmem_finalize();
    return second == first;
}
