// SPDX-License-Identifier: BSD-3-Clause
// The words of barriers have 32 bits on this machine. Barriers, and the ends of regions, go on when the words wrap.
// threads: 2 3 16
#include "test.h"

#define SKERRY_WORKERS
#define SKERRY_BUILD
#include "omp/internal.h"

#define ROUNDS 20

// Makes the team as it is after so many barriers and regions that `before` more lead to the wrap.
static void age(struct omp_team *team, uint32_t before) {
    struct skerry_meeting *meeting = team->members[0]->near.exchange->meeting;
    for (uint32_t i = 0; i < sizeof meeting->flags / sizeof meeting->flags[0]; i++)
        meeting->flags[i].number = 0 - before;
    for (uint32_t i = 0; i < team->threads; i++) {
        struct omp_near *near = &team->members[i]->near;
        near->exchange->number = near->slow_barriers = near->slow_released = 0 - before;
    }
    team->arrived = (0 - before) * team->threads;
    team->to_join = 0 - 2 * (team->threads - 1);
    team->join_counter->value = (uint32_t)team->to_join;
}

// Each thread sees what all others wrote before the barrier, and nothing of what they write after the next.
static void meet(bool with_tasks) {
    static int rounds[16];
    int threads = omp_get_max_threads(), tasks = 0;
    memset(rounds, 0, sizeof rounds);
#pragma omp parallel
    for (int round = 1; round <= ROUNDS; round++) {
        rounds[omp_get_thread_num()] = round;
        if (with_tasks) {
#pragma omp task shared(tasks)
            test_add(&tasks, 1);
        }
#pragma omp barrier
        for (int i = 0; i < threads; i++)
            REQUIRE(rounds[i] == round, "round %d: thread %d is in %d", round, i, rounds[i]);
        if (with_tasks) REQUIRE(test_get(&tasks) == round * threads, "round %d: %d tasks", round, tasks);
#pragma omp barrier
    }
}

int main(void) {
    meet(false); // makes the team, which the regions below use again
    for (int with_tasks = 0; with_tasks <= 1; with_tasks++)
        for (uint32_t before = 1; before <= 8; before++) {
            age(skerry_omp_self->repeatable.team, before);
            meet(with_tasks);
        }
    return 0;
}
