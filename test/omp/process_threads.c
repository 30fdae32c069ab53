// SPDX-License-Identifier: BSD-3-Clause
// Threads of the program that make regions at the same time: each is the master of a team of its own, with variables of its
// own; they come and go.
// smp-16 has no threads of POSIX.
// threads: 1 2 4
// flags: -pthread
// skip: smp
#include "test.h"

#include <pthread.h>

#define THREADS 6
#define ROUNDS 30

static int common; // counted by all teams under one lock
static int finished;

static void *work(void *argument) {
    int number = *(int *)argument, size = number % 4 + 1;
    REQUIRE(omp_get_thread_num() == 0 && omp_get_level() == 0, "not the first thread");
    omp_set_num_threads(size);
    for (int round = 0; round < ROUNDS; round++) {
        int here = 0, sum = 0, singles = 0;
#pragma omp parallel reduction(+ : sum)
        {
            REQUIRE(omp_get_num_threads() == size, "%d threads, not %d", omp_get_num_threads(), size);
            test_add(&here, 1);
#pragma omp barrier
            REQUIRE(test_get(&here) == size, "past the barrier with %d of %d", test_get(&here), size);
#pragma omp for schedule(guided)
            for (int i = 0; i < 100; i++) sum += i;
#pragma omp single
            {
                singles++;
#pragma omp task shared(singles)
                singles++;
            }
#pragma omp critical(all)
            common++;
        }
        REQUIRE(sum == 4950 && singles == 2, "sum %d, singles %d", sum, singles);
    }
    test_add(&finished, 1);
    return NULL;
}

int main(void) {
    int right = 0;
    for (int wave = 0; wave < 3; wave++) {
        pthread_t threads[THREADS];
        int numbers[THREADS];
        for (int i = 0; i < THREADS; i++) {
            numbers[i] = i;
            right += ROUNDS * (i % 4 + 1);
            REQUIRE(pthread_create(&threads[i], NULL, work, &numbers[i]) == 0, "no thread");
        }
        int ran = 0;
#pragma omp parallel reduction(+ : ran)
        ran++;
        REQUIRE(ran == omp_get_max_threads(), "the first thread's team: %d", ran);
        for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    }
    REQUIRE(common == right && finished == 3 * THREADS, "%d of %d, %d finished", common, right, finished);
    return 0;
}
