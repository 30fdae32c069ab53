// SPDX-License-Identifier: BSD-3-Clause
// Measures regions and reductions (variants.c): descriptors of 32 bytes go to the other cores, which report their ends.
#ifndef SKERRY_BENCH_CHIP_VARIANTS_REGION_H
#define SKERRY_BENCH_CHIP_VARIANTS_REGION_H

#include "variants_hardware.h"

// Runs the functions whose descriptors arrive at this core, until a descriptor has no function. If `by_queue` is true,
// the descriptors arrive in the core's queue SINGLE, from which they are copied to give back their place. Otherwise they
// arrive in the line BOX, and stay there. After each function, the core adds 1 to the first core's counter ENDS if
// `by_counter` is true, and otherwise sets its word in the first core's line SLOTS. If `reduces` is true, it gives the first
// core a value before, through the first core's queue SINGLE if `by_queue` is true, otherwise in its word in SLOTS.
static inline __attribute__((always_inline)) void serve(const struct core *c, int by_queue, int by_counter,
                                                        int reduces) {
    aim(c->message, by_counter ? c->master_ends : 0, 0);
    aim(c->request, line_of(0, SINGLE), 0);
    for (;;) {
        volatile uint32_t descriptor[8];
        if (by_queue) {
            while (!c->single[0]) {
            }
            const volatile uint32_t *item = (volatile uint32_t *)(uintptr_t)c->single[1];
#pragma GCC unroll 8
            for (uint32_t i = 0; i < 8; i++) descriptor[i] = item[i];
            c->single[0] = 0;
        } else {
            while (!c->box[7]) {
            }
            c->box[7] = 0;
        }
        function *f = (function *)(uintptr_t)(by_queue ? descriptor : c->box)[0];
        if (!f) break;
        f();
        fence();
        if (reduces && !by_queue) c->master_slots[c->number] = 1;
        if (reduces && by_queue) {
            c->request[8] = 1;
            go(c->request, 4, ENQUEUE); // does not overtake what follows: both go to the first core
        }
        if (by_counter) go(c->message, 4, WRITE);
        else c->master_slots[c->number] = 1;
    }
}

static inline __attribute__((always_inline)) void post(const struct core *c, int to, int by_queue, function *f) {
    const uint32_t first = (uint32_t)(uintptr_t)f;
    if (by_queue) {
        volatile uint32_t *data = c->request + 8;
        aim(c->request, line_of(to, SINGLE), 0);
        data[0] = first;
#pragma GCC unroll 8
        for (uint32_t i = 1; i < 8; i++) data[i] = i;
        go(c->request, 32, ENQUEUE);
        return;
    }
    volatile uint32_t *box = line_of(to, BOX);
    box[0] = first;
#pragma GCC unroll 8
    for (uint32_t i = 1; i < 7; i++) box[i] = i;
    box[7] = 1;
}

// Adds up the values that the other cores have given the first core.
static inline __attribute__((always_inline)) void add_up(const struct core *c, int by_queue) {
    uint32_t sum = 1;
    for (int k = 1; k < c->cores; k++) {
        if (by_queue) {
            sum += *(volatile uint32_t *)(uintptr_t)c->single[1];
            c->single[0] = 0;
        } else {
            sum += c->slots[k];
        }
    }
    word = (int)sum;
}

static inline __attribute__((always_inline)) uint32_t parallel(const struct core *c, int by_queue, int by_counter,
                                                               int reduces) {
    if (c->number) {
        serve(c, by_queue, by_counter, reduces);
        aim(c->message, line_of(0, ARRIVALS), 0);
        return 0;
    }
    volatile uint32_t *ends = line_of(0, ENDS);
    uint32_t wanted = ends[0];
    const uint32_t start = now();
    for (int i = 0; i < TIMES; i++) {
        for (int k = 1; k < c->cores; k++) post(c, k, by_queue, nothing);
        nothing();
        wanted += (uint32_t)c->cores - 1;
        if (by_counter) {
            while (ends[0] != wanted) {
            }
            if (reduces) add_up(c, by_queue);
            continue;
        }
        for (int k = 1; k < c->cores; k++) {
            while (!c->slots[k]) {
            }
            c->slots[k] = 0;
        }
    }
    const uint32_t cycles = now() - start;
    for (int k = 1; k < c->cores; k++) post(c, k, by_queue, NULL);
    return cycles;
}

static uint32_t parallel_q_ctr(const struct core *c) {
    return parallel(c, 1, 1, 0);
}
static uint32_t parallel_scr_ctr(const struct core *c) {
    return parallel(c, 0, 1, 0);
}
static uint32_t parallel_q_scr(const struct core *c) {
    return parallel(c, 1, 0, 0);
}
static uint32_t parallel_scr_scr(const struct core *c) {
    return parallel(c, 0, 0, 0);
}
// As in the EPCC benchmarks, a reduction is that of a region.
static uint32_t reduction_queue(const struct core *c) {
    return parallel(c, 1, 1, 1);
}
static uint32_t reduction_scratch(const struct core *c) {
    return parallel(c, 0, 1, 1);
}

#endif
