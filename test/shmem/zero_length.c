// SPDX-License-Identifier: BSD-3-Clause
// Nothing to move: a length of zero is legal with any pointer and with none, in every put, get, signalled put, strided form
// and collective; a signalled put of nothing still signals, and a collective of nothing still is one.
#include "collective_families.h"
#include "rma_families.h"

static uint64_t signal;
static long word, other;
static long
    work_array[SHMEM_COLLECT_SYNC_SIZE > SHMEM_REDUCE_SYNC_SIZE ? SHMEM_COLLECT_SYNC_SIZE : SHMEM_REDUCE_SYNC_SIZE];

static void move_nothing(const struct rma_family *family, void *dest, const void *source) {
    int to = right_of(me);
    shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
    family->put(ctx, dest, source, 0, to);
    family->get(ctx, dest, source, 0, to);
    family->put_nbi(ctx, dest, source, 0, to);
    family->get_nbi(ctx, dest, source, 0, to);
    if (!family->iput) return;
    family->iput(ctx, dest, source, 1, 2, 0, to);
    family->iget(ctx, dest, source, 3, 1, 0, to);
    family->ibput(ctx, dest, source, 2, 2, 2, 0, to);
    family->ibget(ctx, dest, source, 2, 2, 2, 0, to);
}

static void collect_nothing(const struct collective_family *family, void *dest, const void *source) {
    shmem_team_t team = SHMEM_TEAM_WORLD;
    REQUIRE(!family->broadcast(team, dest, source, 0, pes - 1) && !family->collect(team, dest, source, 0) &&
                !family->fcollect(team, dest, source, 0) && !family->alltoall(team, dest, source, 0) &&
                !family->alltoalls(team, dest, source, 1, 1, 0),
            "a %s collective of nothing failed", family->name);
}

static void reduce_nothing(long *dest, const long *source) {
    shmem_team_t team = SHMEM_TEAM_WORLD;
    REQUIRE(!shmem_long_sum_reduce(team, dest, source, 0) && !shmem_long_max_reduce(team, dest, source, 0) &&
                !shmem_long_sum_inscan(team, dest, source, 0) && !shmem_long_sum_exscan(team, dest, source, 0),
            "a reduction of nothing failed");
}

static void signal_nothing(void) {
    for (int i = 0; i < 2; i++) {
        shmem_barrier_all();
        shmem_long_put_signal(i ? NULL : &word, i ? NULL : &other, 0, &signal, 5 + (uint64_t)i, SHMEM_SIGNAL_SET,
                              right_of(me));
        shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, 5 + (uint64_t)i);
        shmem_barrier_all();
        shmem_putmem_signal_nbi(NULL, NULL, 0, &signal, 10, SHMEM_SIGNAL_ADD, right_of(me));
        shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, 15 + (uint64_t)i);
    }
}

int main(void) {
    test_begin();
    for (size_t i = 0; i < RMA_FAMILIES; i++) {
        move_nothing(&rma_plain[i], NULL, NULL);
        move_nothing(&rma_context[i], &word, &other);
    }
    shmem_quiet();
    for (size_t i = 0; i < COLLECTIVE_FAMILIES; i++) {
        collect_nothing(&collective_families[i], NULL, NULL);
        collect_nothing(&collective_families[i], &word, &other);
    }
    reduce_nothing(NULL, NULL);
    reduce_nothing(&word, &other);
    signal_nothing();
    shmem_collect64(NULL, NULL, 0, 0, 0, pes, work_array);
    shmem_barrier_all();
    shmem_fcollect32(&word, &other, 0, 0, 0, pes, work_array);
    shmem_barrier_all();
    REQUIRE(word == 0 && other == 0, "a length of zero wrote something");
    return test_end();
}
