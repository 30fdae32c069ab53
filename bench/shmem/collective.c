// SPDX-License-Identifier: BSD-3-Clause
// Measures broadcast, collect, fcollect and alltoall of 64-bit elements. The printed size is the bytes that one PE
// contributes, or in alltoall the bytes that one PE sends to each PE. Each call of broadcast has the next PE as root. A
// PE becomes root only after it has received the data of the earlier broadcasts. Therefore no PE can run many calls
// ahead of the other PEs, and the time includes the arrival of the data.
#include "measure.h"

#include <string.h>

#if !BENCH_TEAMS
// Work arrays (pSync). Consecutive calls use the two arrays alternately. When the third call begins on any PE, the
// first call has ended on all PEs. The first call's work array is then free again.
static long *work[2];

static void work_start(void) {
    const size_t longest = 4096; // elements; more than any implementation needs
    for (int i = 0; i < 2; ++i) {
        work[i] = shmem_malloc(longest * sizeof(long));
        for (size_t k = 0; k < longest; ++k) work[i][k] = SHMEM_SYNC_VALUE;
    }
    shmem_barrier_all();
}
#endif

static size_t most; // size of a buffer in bytes
static long turn;   // number of calls so far, over all batches; it chooses the root and the work array

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

// Makes one more broadcast and checks its data. Does not check them on the root, because a broadcast on an active set
// does not write the root's destination. The data of the batches cannot be checked. OpenSHMEM allows a root to store
// into every destination immediately, and no PE synchronizes between two turns of a batch. The data of two roots can
// therefore arrive in either order.
static bool verify_broadcast(const struct measurement *m) {
    const int root = (int)(turn % bench_pes);
    memset(m->destination, 0, m->bytes);
    shmem_barrier_all();
    loop_broadcast(m, 1);
    return bench_me == root || measure_holds(m->destination, m->bytes, 0, root);
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
