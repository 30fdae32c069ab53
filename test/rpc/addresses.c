// SPDX-License-Identifier: BSD-3-Clause
// Functions lie where the system has put them, in each PE at another place: calls find them all the same.
// flags: -fPIE -pie
// pes: 2 7
#include "rpc.h"

static long data[1];

static void *where(long *at) {
    (void)at;
    return (void *)(uintptr_t)where;
}
RPC(where)

int main(void) {
    test_begin();
    data[0] = (long)(uintptr_t)where;
    shmem_barrier_all();
    for (int pe = 0; pe < pes; pe++) {
        void *there = where_rpc(address_at(data, pe));
        REQUIRE(there == (void *)shmem_long_g(data, pe), "PE %d has run %p", pe, there);
    }
    return test_end();
}
