// SPDX-License-Identifier: BSD-3-Clause
// After a barrier, the end of a region and a taskwait, each thread sees the stores of all threads, in the memory of every
// core: in static variables, on the stacks of all threads, and in external memory. Each thread stores to all other
// threads' stacks at once, so the network is busy, and then loads what others have stored to third threads.
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef THREADS
#define THREADS 16
#define WORDS 8
#define ROUNDS 20
#endif

static volatile uint32_t *places[THREADS];
#ifdef EXTERNAL
static volatile uint32_t table[THREADS][THREADS] __attribute__((section(".external")));
#else
static volatile uint32_t table[THREADS][THREADS];
#endif

static void check(uint32_t found, uint32_t right, const char *where, int from, int to) {
    if (found == right) return;
    fprintf(stderr, "%s of thread %d by thread %d: %lx instead of %lx\n", where, to, from, (unsigned long)found,
            (unsigned long)right);
    _Exit(1);
}

static uint32_t value(int round, int from, int to, int word) {
    return (uint32_t)(round << 24 | from << 16 | to << 8 | word) + 1;
}

static void store_all(int round, int me, int threads) {
    for (int word = 0; word < WORDS; word++)
        for (int i = 1; i < threads; i++) {
            const int to = (me + i) % threads;
            places[to][me * WORDS + word] = value(round, me, to, word);
        }
    for (int i = 0; i < threads; i++) table[i][me] = value(round, me, i, 0);
}

static void check_all(int round, int me, int threads) {
    for (int i = 0; i < threads; i++) {
        const int to = (me + 1 + i) % threads;
        for (int k = 0; k < threads; k++) {
            const int from = (me + 2 + k) % threads;
            check(table[to][from], value(round, from, to, 0), "table", from, to);
            if (from == to) continue;
            const int word = WORDS - 1 - (round & 1);
            check(places[to][from * WORDS + word], value(round, from, to, word), "stack", from, to);
        }
    }
}

// All threads store a few words to one thread's stack at the same time, so that the stores wait in the network. The thread
// looks at its own memory right after the barrier, where a load takes one cycle.
static void check_crowd(int round, int me, int threads) {
    const int to = round % threads, last = 1 + round % (WORDS - 1);
    volatile uint32_t *const words = &places[to][me * WORDS], *const mine = places[me];
    const uint32_t right = value(round, 0, to, 200);
#pragma omp barrier
    if (me != to)
        for (int word = 0; word <= last; word++) words[word] = right;
#pragma omp barrier
    uint32_t wrong = 0;
    for (int from = 0; from < threads; from++)
        if (from != me) wrong |= mine[from * WORDS + last] ^ right;
    if (me == to) check(wrong, 0, "crowded stack", to, to);
#pragma omp barrier
}

int main(void) {
    const int threads = omp_get_max_threads();
    static uint32_t of_master[THREADS * WORDS];
#pragma omp parallel
    {
        volatile uint32_t here[THREADS * WORDS];
        const int me = omp_get_thread_num();
        places[me] = here;
        if (me == 0) places[me] = of_master;
#pragma omp barrier
        for (int round = 0; round < ROUNDS; round++) {
            store_all(round, me, threads);
#pragma omp barrier
            check_all(round, me, threads);
#pragma omp barrier
            check_crowd(round, me, threads);
        }
    }
    // The end of a region.
    for (int round = 0; round < ROUNDS; round++) {
#pragma omp parallel
        for (int i = 0; i < threads; i++) table[i][omp_get_thread_num()] = value(round, omp_get_thread_num(), i, 0);
        for (int i = 0; i < threads; i++)
            for (int k = 0; k < threads; k++) check(table[i][k], value(round, k, i, 0), "region", k, i);
    }
    // Tasks that tasks of different threads make: the grandchild's stores to the stack of the task's thread, to the stack
    // of the thread that made the task, and to static data.
    for (int round = 0; round < ROUNDS; round++) {
#pragma omp parallel
        {
            const int me = omp_get_thread_num();
            volatile uint32_t mine[4] = {0};
#pragma omp task shared(mine) firstprivate(me, round)
            {
                volatile uint32_t own[4] = {0};
                for (int i = 0; i < 4; i++) {
#pragma omp task shared(mine, own) firstprivate(i, me, round)
                    {
                        mine[i] = value(round, me, i, 1);
                        own[i] = value(round, me, i, 2);
                        table[me][i] = value(round, me, i, 3);
                    }
                }
#pragma omp taskwait
                for (int i = 0; i < 4; i++) {
                    check(mine[i], value(round, me, i, 1), "a task's outer stack", i, me);
                    check(own[i], value(round, me, i, 2), "a task's stack", i, me);
                    check(table[me][i], value(round, me, i, 3), "a task's table", i, me);
                }
            }
#pragma omp taskwait
            for (int i = 0; i < 4; i++) check(mine[i], value(round, me, i, 1), "taskwait", i, me);
        }
    }
    return 0;
}
