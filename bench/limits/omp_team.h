// SPDX-License-Identifier: BSD-3-Clause
// Defines the functions that the limit programs for OpenMP share: teams of bare threads, and ways of polling. As in the
// measuring programs for OpenMP, a figure does not include the time of the work inside a construct
// (bench/openmp/work.h).
#ifndef SKERRY_BENCH_LIMITS_OMP_TEAM_H
#define SKERRY_BENCH_LIMITS_OMP_TEAM_H

#include "limits.h"
#include "../openmp/work.h"

#include <pthread.h>

enum omp_polling { by_load, by_pause, by_swap, omp_pollings };

// A word in two cache lines of its own, because some processors fetch lines in pairs.
struct omp_line {
    _Alignas(2 * LIMIT_LINE) long value;
};

static inline __attribute__((always_inline)) void omp_await(long *word, long expected, enum omp_polling polling) {
    long seen = expected;
    if (polling == by_swap)
        while (!__atomic_compare_exchange_n(word, &seen, expected, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            seen = expected;
    else
        while (__atomic_load_n(word, __ATOMIC_ACQUIRE) != expected)
            if (polling == by_pause) limit_relax();
}

static bool omp_pinned;

static inline void *omp_thread(void *number) {
    int me = (int)(long)number;
    if (omp_pinned) limit_pin(me);
    limit_follow(me);
    return NULL;
}

// Starts `threads` - 1 threads, which end with the process. If `pinned` is true, the threads are pinned to the
// processors in turn.
static inline void omp_start_team(void (*const *designs)(int, int, long), int threads, bool pinned) {
    static struct limit_team team;
    team.designs = designs;
    team.processes = threads;
    limit_team = &team;
    limit_processors(); // stores the allowed processors before this thread is pinned
    omp_pinned = pinned;
    work_calibrate();
    for (long me = 1; me < threads; me++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, omp_thread, (void *)me) != 0) limit_fail("thread");
    }
    if (pinned) limit_pin(0);
}

// Measures every design and prints its figure without the time of the work. Prints the best figure again under the name
// `best`.
static inline void omp_report(struct limit *limits, int count, int batches, const char *best) {
    limit_measure(limits, count, batches);
    for (int i = 0; i < count; i++) {
        for (int batch = 0; batch < limits[i].batches; batch++) limits[i].samples[batch] -= work_nanoseconds;
        limit_print_as(&limits[i], limits[i].name);
    }
    limit_print_as(limit_best(limits, count), best);
}

static inline void omp_needs_two_processors(const char *program) {
    if (limit_processors() >= 2) return;
    fprintf(stderr, "%s: needs two processors\n", program);
    exit(3);
}

#define OMP_DESIGN(FUNCTION, POLLING)                                                                                  \
    static void FUNCTION##_##POLLING(int me, int threads, long count) {                                                \
        (void)threads;                                                                                                 \
        FUNCTION(me, count, POLLING);                                                                                  \
    }

#endif
