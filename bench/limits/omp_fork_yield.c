// SPDX-License-Identifier: BSD-3-Clause
// Measures a parallel region of four threads on two processors without any library. One thread gives three other
// threads a piece of work each, in a loop. All threads yield while they wait. The measured time is the limit of a
// parallel region that has more threads than processors: no library can be faster.
#include "omp_team.h"

// Length of a batch in ns: several time slices of the scheduler. In a shorter batch a thread can keep its processor by
// chance. The median would then be the time of such batches.
#define BATCH_NANOSECONDS 1e7

enum { threads_all = 4 };
static struct omp_line order, joined;
static long given[threads_all]; // number of regions so far, counted by each thread

static void fork_join(int me, int threads, long count) {
    long number = given[me];
    for (long last = number + count; number < last;) {
        number++;
        if (me == 0) __atomic_store_n(&order.value, number, __ATOMIC_RELEASE);
        while (__atomic_load_n(&order.value, __ATOMIC_ACQUIRE) < number) sched_yield();
        work();
        if (me != 0) __atomic_fetch_add(&joined.value, 1, __ATOMIC_ACQ_REL);
        while (me == 0 && __atomic_load_n(&joined.value, __ATOMIC_ACQUIRE) < number * (threads - 1)) sched_yield();
    }
    given[me] = number;
}

int main(int argument_count, char **arguments) {
    int batches = limit_batches(argument_count, arguments, 20);
    static void (*const designs[])(int, int, long) = {fork_join};
    omp_start_team(designs, threads_all, false);
    static struct limit limit = {
        .name = "omp_fork_yield_team", .parameter = threads_all, .loop = limit_team_loop, .batch = BATCH_NANOSECONDS};
    omp_report(&limit, 1, batches, "omp_fork_yield");
    return 0;
}
