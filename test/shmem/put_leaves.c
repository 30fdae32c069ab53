// SPDX-License-Identifier: BSD-3-Clause
// A small put to a PE of another node arrives although the PE that made it calls the library no more and only computes.
// The put is the PE's first operation on another node. PEs that are no ports of their nodes are among them.
// pes: 6
// nodes: only
// ways: 6:2:tcp 9:3:all
#include "test.h"

#define LIMIT_SECONDS 20

static long arrived;
static volatile long answered;

int main(void) {
    test_begin();
    const int other = (me + pes / 2) % pes; // on another node
    shmem_barrier_all();
    if (me < pes / 2) {
        shmem_long_p(&arrived, 1, other);
        const double end = test_seconds() + LIMIT_SECONDS;
        while (!answered && test_seconds() < end) {
        }
        REQUIRE(answered, "PE %d: the put to PE %d has not arrived within %d s of computing", me, other, LIMIT_SECONDS);
    } else if (me - pes / 2 < pes / 2) {
        shmem_long_wait_until(&arrived, SHMEM_CMP_EQ, 1);
        shmem_long_p((long *)&answered, 1, me - pes / 2);
        shmem_quiet();
    }
    shmem_barrier_all();
    return test_end();
}
