// SPDX-License-Identifier: BSD-3-Clause
// The C11 type-generic names in a running program: each family once or more, with and without a context.
#include "test.h"

static double reals[8];
static short shorts[8];
static unsigned int words[8];
static long longs[8], results[8 * 16];
static uint64_t signal;

static void try_rma(shmem_ctx_t ctx) {
    int to = right_of(me), from = left_of(me);
    double values[4] = {1.5 + me, 2.5, 3.5, 4.5}, back[4];
    shmem_put(reals, values, 2, to);
    shmem_put(ctx, &reals[2], &values[2], 1, to);
    shmem_put_nbi(&reals[3], &values[3], 1, to);
    shmem_iput(&reals[4], values, 1, 2, 2, to);
    shmem_ibput(ctx, &reals[6], values, 1, 1, 1, 2, to);
    shmem_p(&shorts[0], (short)me, to);
    shmem_p(ctx, &shorts[1], (short)(me + 1), to);
    shmem_ctx_quiet(ctx);
    shmem_barrier_all();
    REQUIRE(reals[0] == 1.5 + from && reals[1] == 2.5 && reals[2] == 3.5 && reals[3] == 4.5, "put");
    REQUIRE(reals[4] == 1.5 + from && reals[5] == 3.5 && reals[6] == 1.5 + from && reals[7] == 2.5, "strided put");
    REQUIRE(shorts[0] == from && shmem_g(&shorts[1], me) == from + 1 && shmem_g(ctx, &shorts[1], to) == me + 1,
            "p and g");
    shmem_get(back, reals, 4, to);
    REQUIRE(back[0] == 1.5 + me && back[3] == 4.5, "get");
    shmem_get_nbi(ctx, back, &reals[4], 1, to);
    shmem_ctx_quiet(ctx);
    REQUIRE(back[0] == 1.5 + me, "get_nbi");
    shmem_iget(back, reals, 1, 2, 2, to);
    REQUIRE(back[1] == 3.5, "iget");
    shmem_ibget(back, reals, 2, 2, 2, 2, to);
    REQUIRE(back[3] == 4.5, "ibget");
    shmem_barrier_all();
}

static void try_atomics(shmem_ctx_t ctx) {
    int to = right_of(me);
    unsigned int old = 99;
    shmem_atomic_set(&words[0], 5, to);
    REQUIRE(shmem_atomic_fetch_add(&words[0], 2, to) == 5 && shmem_atomic_fetch_inc(ctx, &words[0], to) == 7,
            "fetch_add");
    REQUIRE(shmem_atomic_compare_swap(&words[0], 8, 16, to) == 8 && shmem_atomic_swap(ctx, &words[0], 3, to) == 16,
            "swap");
    shmem_atomic_add(&words[0], 4, to);
    shmem_atomic_inc(&words[0], to);
    shmem_atomic_or(&words[0], 32, to);
    shmem_atomic_and(ctx, &words[0], 0x28, to);
    shmem_atomic_xor(&words[0], 1, to);
    shmem_atomic_fetch_or_nbi(&old, &words[0], 64, to);
    shmem_quiet();
    REQUIRE(old == 0x29 && shmem_atomic_fetch(&words[0], to) == 0x69, "bitwise: %u", shmem_atomic_fetch(&words[0], to));
    REQUIRE(shmem_fadd(&longs[0], 5L, me) == 0 && shmem_finc(&longs[0], me) == 5 &&
                shmem_cswap(&longs[0], 6, 1, me) == 6,
            "deprecated atomics");
    longs[0] = 0;
    shmem_barrier_all();
}

static void try_signals_and_waits(shmem_ctx_t ctx) {
    int to = right_of(me);
    long value = 70 + me;
    size_t indices[2];
    shmem_put_signal(&longs[1], &value, 1, &signal, 4, SHMEM_SIGNAL_SET, to);
    shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, 4);
    REQUIRE(longs[1] == 70 + left_of(me), "put_signal");
    shmem_barrier_all();
    shmem_signal_add(&signal, 3, to);
    shmem_signal_add(ctx, &signal, 1, to);
    shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, 8);
    shmem_barrier_all();
    shmem_signal_set(&signal, 1, to);
    shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, 1);
    shmem_wait_until(&longs[1], SHMEM_CMP_GT, 1);
    REQUIRE(shmem_test(&longs[1], SHMEM_CMP_EQ, 70 + left_of(me)) == 1, "test");
    REQUIRE(shmem_test_all(&longs[1], 1, NULL, SHMEM_CMP_GT, 1) == 1, "test_all");
    REQUIRE(shmem_wait_until_any(&longs[0], 2, NULL, SHMEM_CMP_NE, 0) == 1, "wait_until_any");
    REQUIRE(shmem_wait_until_some(&longs[0], 2, indices, NULL, SHMEM_CMP_NE, 0) == 1 && indices[0] == 1,
            "wait_until_some");
    shmem_barrier_all();
}

static void try_collectives(void) {
    longs[0] = me;
    longs[1] = 3;
    shmem_sync(SHMEM_TEAM_WORLD);
    REQUIRE(!shmem_sum_reduce(SHMEM_TEAM_WORLD, results, longs, 2) && results[0] == (long)pes * (pes - 1) / 2,
            "sum_reduce");
    shmem_sync(SHMEM_TEAM_WORLD);
    REQUIRE(!shmem_max_reduce(SHMEM_TEAM_WORLD, results, longs, 1) && results[0] == pes - 1, "max_reduce");
    shmem_sync(SHMEM_TEAM_WORLD);
    REQUIRE(!shmem_fcollect(SHMEM_TEAM_WORLD, results, longs, 1) && results[pes - 1] == pes - 1, "fcollect");
    shmem_sync(SHMEM_TEAM_WORLD);
    REQUIRE(!shmem_broadcast(SHMEM_TEAM_WORLD, results, longs, 1, pes - 1) && results[0] == pes - 1, "broadcast");
    shmem_sync(SHMEM_TEAM_WORLD);
    REQUIRE(!shmem_sum_inscan(SHMEM_TEAM_WORLD, results, longs, 1) && results[0] == (long)me * (me + 1) / 2,
            "sum_inscan");
    shmem_sync(SHMEM_TEAM_WORLD);
    for (int i = 0; i < 8; i++) longs[i] = me * 10 + i;
    if (pes <= 8) {
        REQUIRE(!shmem_alltoall(SHMEM_TEAM_WORLD, results, longs, 1) && results[pes - 1] == (pes - 1) * 10 + me,
                "alltoall");
    }
    shmem_sync_all();
}

int main(void) {
    test_begin();
    shmem_ctx_t ctx;
    REQUIRE(shmem_ctx_create(0, &ctx) == 0, "no context");
    try_rma(ctx);
    try_atomics(ctx);
    try_signals_and_waits(ctx);
    try_collectives();
    shmem_ctx_destroy(ctx);
    return test_end();
}
