// SPDX-License-Identifier: BSD-3-Clause
// Measures a barrier of two threads without any library. The shortest time is the limit of such a barrier: no library
// can be faster. Two threads do a piece of work and then meet in a barrier, in a loop, and poll while they wait. In one
// half of the designs each thread writes a cache line of its own, which the other thread polls. In the other half each
// thread polls a cache line of its own, which the other thread writes.
#include "omp_team.h"

enum { own_line = omp_pollings, designs_all = 2 * omp_pollings };
static struct omp_line lines[designs_all][2];
static long met[2][designs_all]; // number of barriers so far, counted by each thread

static inline __attribute__((always_inline)) void meet(int me, long count, int design) {
    const bool own = design >= own_line;
    long *written = &lines[design][own ? 1 - me : me].value, *polled = &lines[design][own ? me : 1 - me].value;
    long number = met[me][design];
    for (long last = number + count; number < last;) {
        work();
        __atomic_store_n(written, ++number, __ATOMIC_RELEASE);
        // The other thread is possibly in the next barrier already, and has stored a larger number. Therefore a larger
        // number ends the wait too.
        if (design % omp_pollings == by_swap) {
            for (long seen = number;
                 !__atomic_compare_exchange_n(polled, &seen, number, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED) &&
                 seen < number;)
                seen = number;
        } else {
            while (__atomic_load_n(polled, __ATOMIC_ACQUIRE) < number)
                if (design % omp_pollings == by_pause) limit_relax();
        }
    }
    met[me][design] = number;
}

enum { other_by_load = by_load, other_by_pause, other_by_swap, own_by_load, own_by_pause, own_by_swap };
OMP_DESIGN(meet, other_by_load)
OMP_DESIGN(meet, other_by_pause)
OMP_DESIGN(meet, other_by_swap)
OMP_DESIGN(meet, own_by_load)
OMP_DESIGN(meet, own_by_pause)
OMP_DESIGN(meet, own_by_swap)

int main(int argument_count, char **arguments) {
    int batches = limit_batches(argument_count, arguments, 400);
    omp_needs_two_processors(arguments[0]);
    static void (*const designs[])(int, int, long) = {meet_other_by_load, meet_other_by_pause, meet_other_by_swap,
                                                      meet_own_by_load,   meet_own_by_pause,   meet_own_by_swap};
    static const char *const names[] = {"omp_barrier_load",     "omp_barrier_pause",     "omp_barrier_swap",
                                        "omp_barrier_own_load", "omp_barrier_own_pause", "omp_barrier_own_swap"};
    omp_start_team(designs, 2, true);
    static struct limit limits[designs_all];
    for (int i = 0; i < designs_all; i++)
        limits[i] = (struct limit){.name = names[i], .parameter = 2, .loop = limit_team_loop, .design = i};
    omp_report(limits, designs_all, batches, "omp_barrier");
    return 0;
}
