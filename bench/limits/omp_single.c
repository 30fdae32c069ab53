// SPDX-License-Identifier: BSD-3-Clause
// Measures a single construct of two threads without any library: the first thread to arrive does a piece of work, and
// both threads meet in a barrier. The shortest time is the limit of such a construct: no library can be faster. There
// are two kinds of designs:
// * Both threads try to change a number by compare-and-swap. The thread that succeeds does the work. The barrier is
//   like the barrier of omp_barrier.c.
// * Each thread adds 1 to one counter. The first thread to do so does the work, and adds 1 again after the work.
#include "omp_team.h"

enum { by_count = omp_pollings, designs_all = 2 * omp_pollings };
static struct omp_line lines[designs_all][2], taken[designs_all];
static long met[2][designs_all]; // number of single constructs so far, counted by each thread

static inline __attribute__((always_inline)) void await_at_least(long *word, long number, int polling) {
    if (polling == by_swap) {
        for (long seen = number;
             !__atomic_compare_exchange_n(word, &seen, number, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED) &&
             seen < number;)
            seen = number;
    } else {
        while (__atomic_load_n(word, __ATOMIC_ACQUIRE) < number)
            if (polling == by_pause) limit_relax();
    }
}

static inline __attribute__((always_inline)) void claim_and_meet(int me, long number, int design) {
    long before = number - 1;
    if (__atomic_compare_exchange_n(&taken[design].value, &before, number, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        work();
    __atomic_store_n(&lines[design][me].value, number, __ATOMIC_RELEASE);
    await_at_least(&lines[design][1 - me].value, number, design % omp_pollings);
}

static inline __attribute__((always_inline)) void count_in_one(long number, int design) {
    enum { counts = 3 }; // two arrivals and the end of the work
    long *count = &taken[design].value;
    if (__atomic_fetch_add(count, 1, __ATOMIC_ACQ_REL) == (number - 1) * counts) {
        work();
        if (__atomic_fetch_add(count, 1, __ATOMIC_ACQ_REL) == number * counts - 1) return;
    }
    await_at_least(count, number * counts, design % omp_pollings);
}

static inline __attribute__((always_inline)) void single(int me, long count, int design) {
    long number = met[me][design];
    for (long last = number + count; number < last;) {
        number++;
        if (design >= by_count) count_in_one(number, design);
        else claim_and_meet(me, number, design);
    }
    met[me][design] = number;
}

enum { two_by_load = by_load, two_by_pause, two_by_swap, one_by_load, one_by_pause, one_by_swap };
OMP_DESIGN(single, two_by_load)
OMP_DESIGN(single, two_by_pause)
OMP_DESIGN(single, two_by_swap)
OMP_DESIGN(single, one_by_load)
OMP_DESIGN(single, one_by_pause)
OMP_DESIGN(single, one_by_swap)

int main(int argument_count, char **arguments) {
    int batches = limit_batches(argument_count, arguments, 400);
    omp_needs_two_processors(arguments[0]);
    static void (*const designs[])(int, int, long) = {single_two_by_load, single_two_by_pause, single_two_by_swap,
                                                      single_one_by_load, single_one_by_pause, single_one_by_swap};
    static const char *const names[] = {"omp_single_load",     "omp_single_pause",     "omp_single_swap",
                                        "omp_single_one_load", "omp_single_one_pause", "omp_single_one_swap"};
    omp_start_team(designs, 2, true);
    static struct limit limits[designs_all];
    for (int i = 0; i < designs_all; i++)
        limits[i] = (struct limit){.name = names[i], .parameter = 2, .loop = limit_team_loop, .design = i};
    omp_report(limits, designs_all, batches, "omp_single");
    return 0;
}
