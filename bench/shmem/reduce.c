// SPDX-License-Identifier: BSD-3-Clause
// Measures sums over all PEs, and prefix sums if the implementation has them. The printed size is the size of one PE's
// vector.
#include "measure.h"

static long turn;

#if !BENCH_TEAMS
// Work arrays (pSync and pWrk). Consecutive calls use the two pairs of arrays alternately. When the third call begins
// on any PE, the first call has ended on all PEs. The first call's work arrays are then free again.
static long *sync_work[2];
static void *data_work[2];

static void work_start(void) {
    const size_t longest = 4096; // elements; more than any implementation needs
    const size_t bytes = measure_most(1) / 2 + 8 * SHMEM_REDUCE_MIN_WRKDATA_SIZE + 8;
    for (int i = 0; i < 2; ++i) {
        sync_work[i] = shmem_malloc(longest * sizeof(long));
        data_work[i] = shmem_malloc(bytes);
        for (size_t k = 0; k < longest; ++k) sync_work[i][k] = SHMEM_SYNC_VALUE;
    }
    shmem_barrier_all();
}
#endif

static void loop_sum_int(const struct measurement *m, long count) {
    const size_t elements = m->bytes / sizeof(int);
    for (long i = 0; i < count; ++i, ++turn)
#if BENCH_TEAMS
        shmem_int_sum_reduce(SHMEM_TEAM_WORLD, m->destination, m->source, elements);
#else
        shmem_int_sum_to_all(m->destination, m->source, (int)elements, 0, 0, bench_pes, data_work[turn % 2],
                             sync_work[turn % 2]);
#endif
}

static void loop_sum_long(const struct measurement *m, long count) {
    const size_t elements = m->bytes / sizeof(long);
    for (long i = 0; i < count; ++i, ++turn)
#if BENCH_TEAMS
        shmem_long_sum_reduce(SHMEM_TEAM_WORLD, m->destination, m->source, elements);
#else
        shmem_long_sum_to_all(m->destination, m->source, (int)elements, 0, 0, bench_pes, data_work[turn % 2],
                              sync_work[turn % 2]);
#endif
}

#if BENCH_SCANS
static void loop_inscan(const struct measurement *m, long count) {
    const size_t elements = m->bytes / sizeof(int);
    for (long i = 0; i < count; ++i) shmem_int_sum_inscan(SHMEM_TEAM_WORLD, m->destination, m->source, elements);
}

static void loop_exscan(const struct measurement *m, long count) {
    const size_t elements = m->bytes / sizeof(int);
    for (long i = 0; i < count; ++i) shmem_int_sum_exscan(SHMEM_TEAM_WORLD, m->destination, m->source, elements);
}
#endif

// Returns element `index` of the sum over the first `pes` PEs. Element i of PE p is i % 1000 + p.
static long sum_of(size_t index, long pes) {
    return pes * (long)(index % 1000) + pes * (pes - 1) / 2;
}

static bool holds_sums(const int *vector, size_t bytes, long pes) {
    for (size_t i = 0; i < bytes / sizeof(int); ++i)
        if (vector[i] != sum_of(i, pes)) return false;
    return true;
}

static bool verify_sum_int(const struct measurement *m) {
    return holds_sums(m->destination, m->bytes, bench_pes);
}

static bool verify_sum_long(const struct measurement *m) {
    const long *vector = m->destination;
    for (size_t i = 0; i < m->bytes / sizeof(long); ++i)
        if (vector[i] != sum_of(i, bench_pes)) return false;
    return true;
}

#if BENCH_SCANS
static bool verify_inscan(const struct measurement *m) {
    return holds_sums(m->destination, m->bytes, bench_me + 1);
}

static bool verify_exscan(const struct measurement *m) {
    return holds_sums(m->destination, m->bytes, bench_me);
}
#endif

static void one(const char *name, void (*loop)(const struct measurement *, long),
                bool (*verify)(const struct measurement *), size_t unit, void *destination, void *source) {
    if (measure_wanted(name))
        measure_sizes((struct measurement){.name = name,
                                           .who = who_all,
                                           .loop = loop,
                                           .verify = verify,
                                           .destination = destination,
                                           .source = source},
                      unit, 1);
}

int main(int argument_count, char **arguments) {
    measure_start(argument_count, arguments);
    const size_t most = measure_most(1);
    void *source = measure_buffer(most), *destination = measure_buffer(most);
#if !BENCH_TEAMS
    work_start();
#endif
    for (size_t i = 0; i < most / sizeof(int); ++i) ((int *)source)[i] = (int)(i % 1000) + bench_me;
    shmem_barrier_all();
    one("sum_int", loop_sum_int, verify_sum_int, sizeof(int), destination, source);
#if BENCH_SCANS
    one("inscan", loop_inscan, verify_inscan, sizeof(int), destination, source);
    one("exscan", loop_exscan, verify_exscan, sizeof(int), destination, source);
#else
    if (measure_wanted("inscan")) measure_skip("inscan", "came with OpenSHMEM 1.6");
    if (measure_wanted("exscan")) measure_skip("exscan", "came with OpenSHMEM 1.6");
#endif
    for (size_t i = 0; i < most / sizeof(long); ++i) ((long *)source)[i] = (long)(i % 1000) + bench_me;
    shmem_barrier_all();
    one("sum_long", loop_sum_long, verify_sum_long, sizeof(long), destination, source);
    measure_end();
    return 0;
}
