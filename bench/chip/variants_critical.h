// SPDX-License-Identifier: BSD-3-Clause
// Measures critical sections and atomic updates by a queue and by a mutex (variants.c).
#ifndef SKERRY_BENCH_CHIP_VARIANTS_CRITICAL_H
#define SKERRY_BENCH_CHIP_VARIANTS_CRITICAL_H

#include "variants_mutex.h"

static inline void lock_by_queue(const struct core *c) {
    go(c->request, 4, DEQUEUE);
    while (!c->flags[ANSWER]) {
    }
    c->flags[ANSWER] = 0;
}

static uint32_t critical_queue(const struct core *c) {
    const uint32_t start = now();
    for (int i = 0; i < TIMES / c->cores; i++) {
        lock_by_queue(c);
        think(THINK);
        go(c->token, 4, ENQUEUE);
    }
    barrier_by_counter(c);
    return now() - start - TIMES * THINK;
}

static uint32_t atomic_queue(const struct core *c) {
    const uint32_t start = now();
    for (int i = 0; i < TIMES / c->cores; i++) {
        lock_by_queue(c);
        (*(volatile int *)&word)++;
        go(c->token, 4, ENQUEUE); // does not overtake the store: both go to the first core
    }
    barrier_by_counter(c);
    return now() - start;
}

static uint32_t critical_mutex(const struct core *c) {
    const uint32_t start = now();
    for (int i = 0; i < TIMES / c->cores; i++) {
        lock_mutex();
        think(THINK);
        unlock_mutex();
    }
    barrier_by_counter(c);
    return now() - start - TIMES * THINK;
}

static uint32_t atomic_mutex(const struct core *c) {
    const uint32_t start = now();
    for (int i = 0; i < TIMES / c->cores; i++) {
        lock_mutex();
        (*(volatile int *)&word)++;
        fence(); // the variable is in the first core's memory, and the mutex is not
        unlock_mutex();
    }
    barrier_by_counter(c);
    return now() - start;
}

#endif
