// SPDX-License-Identifier: BSD-3-Clause
// A remote procedure that calls a checked routine, in the handler of a PE that is inside checked routines itself nearly all of the time.
// pes: 2
// check: yes
// timeout: 60
#include "rpc.h"

enum { rounds = 300 };
static long counted[2], *place;

static long count_up(long *at) {
    shmem_long_p(place, *localize(at), shmem_my_pe());
    return ++*localize(at);
}
RPC(count_up)

int main(void) {
    static long ends, source[4];
    test_begin();
    place = shmem_malloc(64);
    long *blocks[20];
    for (int i = 0; i < 20; i++) blocks[i] = shmem_malloc(100);
    if (me == 0) {
        for (long i = 0; i < rounds; i++) {
            long result = count_up_rpc(address_at(counted, 1));
            REQUIRE(result == i + 1, "call %ld returned %ld", i, result);
        }
        shmem_long_p(&ends, 1, 1);
    }
    while (me == 1 && !shmem_long_g(&ends, 1)) {
        shmem_long_put(blocks[7], source, 4, 0);
        shmem_long_put_nbi(blocks[8], source, 4, 0);
        shmem_quiet();
    }
    return test_end();
}
