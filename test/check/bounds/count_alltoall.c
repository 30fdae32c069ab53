// SPDX-License-Identifier: BSD-3-Clause
// A count whose bytes a size_t holds, and those of all members' blocks not.
// pes: 4
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_alltoall64: dest 0x[0-9a-f]+: 2305843009213693952 elements of 8 bytes from there on reach past the end of any object
#include <shmem.h>

#include <stdint.h>

static long words[4], values[4], work[SHMEM_SYNC_SIZE];

int main(void) {
    shmem_init();
    for (int i = 0; i < SHMEM_SYNC_SIZE; i++) work[i] = SHMEM_SYNC_VALUE;
    shmem_barrier_all();
    shmem_alltoall64(words, values, SIZE_MAX / sizeof(long) / 4 + 1, 0, 0, 4, work);
    shmem_finalize();
    return 0;
}
