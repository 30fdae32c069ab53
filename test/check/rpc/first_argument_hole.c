// SPDX-License-Identifier: BSD-3-Clause
// A call whose first argument lies in another PE's partition, but in none of its objects.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: twice: RPC: the first argument, 0x[0-9a-f]+, must be an address in the symmetric memory of a PE
#include <shmemx.h>

static long data[4];

static long twice(long *at) {
    return 2 * *localize(at);
}
RPC(twice)

int main(void) {
    shmem_init();
    char *there = shmem_ptr(data, 1 - shmem_my_pe());
    long got = twice_rpc((long *)(void *)(there + ((size_t)1 << 30)));
    shmem_finalize();
    return (int)got;
}
