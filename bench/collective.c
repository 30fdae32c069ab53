// SPDX-License-Identifier: BSD-3-Clause
// Broadcast, collect, fcollect and alltoall of 64-bit elements; the printed size is that of one PE's contribution (for
// alltoall: to one PE). The root of the broadcast goes round, so that no root runs ahead of its readers and what is
// timed is a broadcast that has arrived.
#include "measure.h"

#include <string.h>

#if !BENCH_TEAMS
// Two work arrays in turn: when a third call begins on some PE, the first has ended on all.
static long *work[2];

static void work_start(void) {
    const size_t longest = 4096; // no implementation needs as many
    for (int i = 0; i < 2; ++i) {
        work[i] = shmem_malloc(longest * sizeof(long));
        for (size_t k = 0; k < longest; ++k) work[i][k] = SHMEM_SYNC_VALUE;
    }
    shmem_barrier_all();
}
#endif

static size_t most; // bytes of a buffer
static long turn;   // over all calls: also between batches the work arrays alternate

static void loop_broadcast(const struct measurement *m, long count) {
    const size_t elements = m->bytes / 8;
    for (long i = 0; i < count; ++i, ++turn) {
        const int root = (int)(turn % bench_pes);
#if BENCH_TEAMS
        shmem_int64_broadcast(SHMEM_TEAM_WORLD, m->destination, m->source, elements, root);
#else
        shmem_broadcast64(m->destination, m->source, elements, root, 0, 0, bench_pes, work[turn % 2]);
#endif
    }
}

static void loop_collect(const struct measurement *m, long count) {
    const size_t elements = m->bytes / 8;
    for (long i = 0; i < count; ++i, ++turn)
#if BENCH_TEAMS
        shmem_int64_collect(SHMEM_TEAM_WORLD, m->destination, m->source, elements);
#else
        shmem_collect64(m->destination, m->source, elements, 0, 0, bench_pes, work[turn % 2]);
#endif
}

static void loop_fcollect(const struct measurement *m, long count) {
    const size_t elements = m->bytes / 8;
    for (long i = 0; i < count; ++i, ++turn)
#if BENCH_TEAMS
        shmem_int64_fcollect(SHMEM_TEAM_WORLD, m->destination, m->source, elements);
#else
        shmem_fcollect64(m->destination, m->source, elements, 0, 0, bench_pes, work[turn % 2]);
#endif
}

static void loop_alltoall(const struct measurement *m, long count) {
    const size_t elements = m->bytes / 8;
    for (long i = 0; i < count; ++i, ++turn)
#if BENCH_TEAMS
        shmem_int64_alltoall(SHMEM_TEAM_WORLD, m->destination, m->source, elements);
#else
        shmem_alltoall64(m->destination, m->source, elements, 0, 0, bench_pes, work[turn % 2]);
#endif
}

// An active set's broadcast leaves the root's destination alone: it holds what the roots before it sent, or nothing if
// there was no other. One more batch of that size would not tell more, so the last root is not asked.
static bool verify_broadcast(const struct measurement *m) {
    const int last_root = (int)((turn - 1) % bench_pes);
    return bench_me == last_root || measure_holds(m->destination, m->bytes, 0, last_root);
}

static bool verify_collect(const struct measurement *m) {
    for (int pe = 0; pe < bench_pes; ++pe)
        if (!measure_holds((uint8_t *)m->destination + (size_t)pe * m->bytes, m->bytes, 0, pe)) return false;
    return true;
}

static bool verify_alltoall(const struct measurement *m) {
    for (int pe = 0; pe < bench_pes; ++pe)
        if (!measure_holds((uint8_t *)m->destination + (size_t)pe * m->bytes, m->bytes, (size_t)bench_me * m->bytes,
                           pe))
            return false;
    return true;
}

static void one(const char *name, void (*loop)(const struct measurement *, long),
                bool (*verify)(const struct measurement *), size_t blocks, uint8_t *destination, uint8_t *source) {
    if (!measure_wanted(name)) return;
    memset(destination, 0, most);
    measure_sizes(
        (struct measurement){
            .name = name, .who = who_all, .loop = loop, .verify = verify, .destination = destination, .source = source},
        8, blocks);
}

int main(int argument_count, char **arguments) {
    measure_start(argument_count, arguments);
    const size_t pes = (size_t)bench_pes;
    most = measure_most(pes) > measure_most(1) ? measure_most(pes) : measure_most(1);
    uint8_t *source = measure_buffer(most), *destination = measure_buffer(most);
#if !BENCH_TEAMS
    work_start();
#endif
    one("broadcast", loop_broadcast, verify_broadcast, 1, destination, source);
    one("collect", loop_collect, verify_collect, pes, destination, source);
    one("fcollect", loop_fcollect, verify_collect, pes, destination, source);
    one("alltoall", loop_alltoall, verify_alltoall, pes, destination, source);
    measure_end();
    return 0;
}
