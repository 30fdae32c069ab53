// SPDX-License-Identifier: BSD-3-Clause
// Measures barriers and loops by a counter and by a mutex (variants.c). The barrier by a mutex is that of the paper: it has a counter
// and a sense, which the last core reverses.
#ifndef SKERRY_BENCH_CHIP_VARIANTS_BARRIER_H
#define SKERRY_BENCH_CHIP_VARIANTS_BARRIER_H

#include "variants_mutex.h"

static uint32_t barrier_counter(const struct core *c) {
    const uint32_t start = now();
    for (int i = 0; i < TIMES; i++) barrier_by_counter(c);
    return now() - start;
}

static uint32_t for_counter(const struct core *c) {
    volatile int iterations = c->cores;
    const uint32_t start = now();
    for (int i = 0; i < TIMES; i++) {
        const int all = iterations, chunk = (all + c->cores - 1) / c->cores;
        const int end = (c->number + 1) * chunk < all ? (c->number + 1) * chunk : all;
        for (int j = c->number * chunk; j < end; j++) __asm__ volatile("");
        barrier_by_counter(c);
    }
    return now() - start;
}

static inline void barrier_by_mutex(const struct core *c, uint32_t *sense) {
    *sense ^= 1;
    lock_mutex();
    const uint32_t count = ++*(volatile uint32_t *)&shared->count;
    if (count == (uint32_t)c->cores) {
        *(volatile uint32_t *)&shared->count = 0;
        *(volatile uint32_t *)&shared->sense = *sense;
    }
    unlock_mutex();
    while (*(volatile uint32_t *)&shared->sense != *sense) {
    }
}

static uint32_t barrier_mutex(const struct core *c) {
    uint32_t sense = shared->sense;
    barrier_by_counter(c);
    const uint32_t start = now();
    for (int i = 0; i < TIMES; i++) barrier_by_mutex(c, &sense);
    return now() - start;
}

static uint32_t for_mutex(const struct core *c) {
    uint32_t sense = shared->sense;
    barrier_by_counter(c);
    volatile int iterations = c->cores;
    const uint32_t start = now();
    for (int i = 0; i < TIMES; i++) {
        const int all = iterations, chunk = (all + c->cores - 1) / c->cores;
        const int end = (c->number + 1) * chunk < all ? (c->number + 1) * chunk : all;
        for (int j = c->number * chunk; j < end; j++) __asm__ volatile("");
        barrier_by_mutex(c, &sense);
    }
    return now() - start;
}

#endif
