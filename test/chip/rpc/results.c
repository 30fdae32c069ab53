// SPDX-License-Identifier: BSD-3-Clause
// Remote procedure calls give what the function gives, wherever it runs: arguments and results of one and two words, own,
// short and external addresses, all PEs on one, each on all, calls within calls.
#include "check.h"

#define CALLS 50

static int data, counts[16];
static double real;
SHMEMX_SHARED static int outside = 77;

static int combine(int *p, int x, int y, int z) {
    p = localize(p);
    return *p + x - 2 * y + 3 * z;
}
RPC(combine)

static unsigned long long wide(unsigned *p, unsigned char small, unsigned long long value) {
    return value + *localize(p) - small;
}
RPC(wide)

static float fraction(const int *p, float part) {
    return (float)*localize(p) * part;
}
RPC(fraction)

double twice(const double *p);
double twice(const double *p) {
    return 2 * *localize(p);
}
RPC(twice)

// Only its caller changes this element, so it may run anywhere.
static void count(int *all, int who) {
    all[who]++;
}
RPC(count)

static int *next_of(int *p) {
    return p + 1;
}
RPC(next_of)

// A call within a call: the outer one may be served, the inner one is then run there.
static int outer(int *p, int *q) {
    return 10 * combine_rpc(p, 1, 2, 3) + combine_rpc(q, 0, 0, 1);
}
RPC(outer)

int main(void) {
    test_begin();
    data = 1000 + me;
    real = me + 0.5;
    shmem_barrier_all();

    for (int round = 0; round < CALLS; round++) {
        int pe = (me + round) % pes;
        int *p = shmem_ptr(&data, pe);
        CHECK(combine_rpc(p, round, 2, 5) == 1000 + pe + round - 4 + 15);
        CHECK(wide_rpc((unsigned *)p, 255, 0xfedcba9876543210ull + (unsigned)round) ==
              0xfedcba9876543210ull + (unsigned)(round + 1000 + pe) - 255);
        CHECK(fraction_rpc(p, 0.25f) == (float)(1000 + pe) / 4);
        CHECK(twice_rpc(shmem_ptr(&real, pe)) == 2 * pe + 1);
        CHECK(next_of_rpc(p) == p + 1);
        int other = (me + 2 * round + 1) % pes;
        CHECK(outer_rpc(p, shmem_ptr(&data, other)) == 10 * (1000 + pe + 6) + 1000 + other + 3);
        count_rpc(shmem_ptr(counts, pe), me);
    }
    CHECK(combine_rpc(&data, 1, 1, 1) == 1000 + me + 2);
    shmem_barrier_all();
    for (int pe = 0; pe < pes; pe++) {
        int expected = 0;
        for (int round = 0; round < CALLS; round++) expected += (pe + round) % pes == me;
        CHECK(counts[pe] == expected);
    }
    CHECK(combine_rpc(&outside, 0, 0, 0) == 77);

    for (int round = 0; round < CALLS; round++)
        CHECK(combine_rpc(shmem_ptr(&data, 0), round, me, 0) == 1000 + round - 2 * me);
    for (int i = 0; i < CALLS; i++) count_rpc(shmem_ptr(counts, 0), me);
    // What f has stored at the other core is there, wherever f has run.
    int seen;
    shmem_getmem(&seen, &counts[me], sizeof seen, 0);
    int expected = CALLS;
    for (int round = 0; round < CALLS; round++) expected += (me + round) % pes == 0;
    CHECK(seen == expected);
    return test_end();
}
