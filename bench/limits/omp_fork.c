// SPDX-License-Identifier: BSD-3-Clause
// Measures a parallel region of two threads without any library, in a loop. The measured time is the limit of such a
// region: no library can be faster. One thread gives another thread a piece of work and does a piece itself. Then it
// waits until the other thread has ended its piece. One cache line moves to the other thread at the start, and another
// line moves back at the end.
#include "omp_team.h"

static struct omp_line orders[omp_pollings], joins[omp_pollings];
static long given[2][omp_pollings]; // number of regions so far, counted by each thread

static inline __attribute__((always_inline)) void fork_join(int me, long count, enum omp_polling polling) {
    long *order = &orders[polling].value, *join = &joins[polling].value, number = given[me][polling];
    for (long last = number + count; number < last;) {
        number++;
        if (me == 0) __atomic_store_n(order, number, __ATOMIC_RELEASE);
        else omp_await(order, number, polling);
        work();
        if (me == 0) omp_await(join, number, polling);
        else __atomic_store_n(join, number, __ATOMIC_RELEASE);
    }
    given[me][polling] = number;
}

OMP_DESIGN(fork_join, by_load)
OMP_DESIGN(fork_join, by_pause)
OMP_DESIGN(fork_join, by_swap)

int main(int argument_count, char **arguments) {
    int batches = limit_batches(argument_count, arguments, 400);
    omp_needs_two_processors(arguments[0]);
    static void (*const designs[])(int, int, long) = {fork_join_by_load, fork_join_by_pause, fork_join_by_swap};
    omp_start_team(designs, 2, true);
    static struct limit limits[] = {
        {.name = "omp_fork_load", .parameter = 2, .loop = limit_team_loop, .design = by_load},
        {.name = "omp_fork_pause", .parameter = 2, .loop = limit_team_loop, .design = by_pause},
        {.name = "omp_fork_swap", .parameter = 2, .loop = limit_team_loop, .design = by_swap}};
    omp_report(limits, omp_pollings, batches, "omp_fork");
    return 0;
}
