// SPDX-License-Identifier: BSD-3-Clause
// An index of -1 into the first block of the heap: no block lies in front of it that could have been written past its end.
// pes: 1
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE 0: shmem_barrier_all: the heap's metadata before 0x[0-9a-f]+ was overwritten: something wrote before the start of a block
#include <shmem.h>

int main(void) {
    shmem_init();
    int *block = shmem_malloc(100);
    block[-1] = 1;
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
