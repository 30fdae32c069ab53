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
    const uint64_t barriers = (UINT64_C(1) << 32) - before;
    team->released = (skerry_word)barriers;
    team->arrived = (skerry_word)(barriers * team->threads);
    for (uint32_t i = 0; i < team->threads; i++) team->members[i].barriers = barriers;
    const uint64_t regions = (UINT64_C(1) << 32) - 2;
    team->to_join = team->joined.count = (skerry_word)(regions * (team->threads - 1));
    for (uint32_t i = 1; i < team->threads; i++) team->members[i].regions = regions;
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
            age(skerry_omp_self->hot, before);
            meet(with_tasks);
        }
    return 0;
}
