// SPDX-License-Identifier: BSD-3-Clause
// Measures an ordered loop of two threads without any library: the threads work in turn. The shortest time is the limit
// of such a loop: no library can be faster. A thread gives the turn to the other thread by storing the number of the
// next turn. In one half of the designs both threads poll the same cache line. In the other half each thread polls a
// cache line of its own.
#include "omp_team.h"

enum { two_lines = omp_pollings, designs_all = 2 * omp_pollings };
static struct omp_line lines[designs_all][2];
static long passed[2][designs_all]; // number of turns of both threads so far, counted by each thread

static inline __attribute__((always_inline)) void hand_over(int me, long count, int design) {
    const bool two = design >= two_lines;
    long *polled = &lines[design][two ? me : 0].value, *written = &lines[design][two ? 1 - me : 0].value;
    long turn = passed[me][design];
    for (long last = turn + count; turn < last; turn += 2) {
        omp_await(polled, turn + me, design % omp_pollings);
        work();
        __atomic_store_n(written, turn + me + 1, __ATOMIC_RELEASE);
    }
    if (me == 0) omp_await(polled, turn, by_load); // waits until the other thread has had its turn
    passed[me][design] = turn;
}

enum { one_by_load = by_load, one_by_pause, one_by_swap, two_by_load, two_by_pause, two_by_swap };
OMP_DESIGN(hand_over, one_by_load)
OMP_DESIGN(hand_over, one_by_pause)
OMP_DESIGN(hand_over, one_by_swap)
OMP_DESIGN(hand_over, two_by_load)
OMP_DESIGN(hand_over, two_by_pause)
OMP_DESIGN(hand_over, two_by_swap)

int main(int argument_count, char **arguments) {
    int batches = limit_batches(argument_count, arguments, 400);
    omp_needs_two_processors(arguments[0]);
    static void (*const designs[])(int, int, long) = {hand_over_one_by_load,  hand_over_one_by_pause,
                                                      hand_over_one_by_swap,  hand_over_two_by_load,
                                                      hand_over_two_by_pause, hand_over_two_by_swap};
    static const char *const names[] = {"omp_ordered_load",     "omp_ordered_pause",     "omp_ordered_swap",
                                        "omp_ordered_two_load", "omp_ordered_two_pause", "omp_ordered_two_swap"};
    omp_start_team(designs, 2, true);
    static struct limit limits[designs_all];
    for (int i = 0; i < designs_all; i++)
        limits[i] = (struct limit){.name = names[i], .parameter = 2, .loop = limit_team_loop, .design = i};
    omp_report(limits, designs_all, batches, "omp_ordered");
    return 0;
}
