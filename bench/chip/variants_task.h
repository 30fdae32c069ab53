// SPDX-License-Identifier: BSD-3-Clause
// Measures tasks (variants.c): the first core makes 64 empty ones.
#ifndef SKERRY_BENCH_CHIP_VARIANTS_TASK_H
#define SKERRY_BENCH_CHIP_VARIANTS_TASK_H

#include "variants_region.h"

static uint32_t await_tasks(uint32_t start, uint32_t before, uint32_t tasks) {
    const uint32_t cycles = now() - start;
    while (line_of(0, ENDS)[0] != before + tasks) {
    }
    return cycles;
}

// The first core puts each task into the queue SINGLE of one of the other cores, in turn.
static uint32_t task_single(const struct core *c) {
    if (c->number) {
        serve(c, 1, 1, 0);
        aim(c->message, line_of(0, ARRIVALS), 0);
        return 0;
    }
    const uint32_t before = line_of(0, ENDS)[0], start = now();
    for (int i = 0, to = 1; i < TASKS; i++, to = to + 1 < c->cores ? to + 1 : 1) post(c, to, 1, nothing);
    const uint32_t cycles = await_tasks(start, before, TASKS);
    for (int k = 1; k < c->cores; k++) post(c, k, 1, NULL);
    return cycles;
}

// Waits for a descriptor in the line BOX of the core, runs the task that it names, and reports the task's end to the
// first core. Returns false if the descriptor names no task, which means that there are no more tasks.
static inline __attribute__((always_inline)) bool run_from_box(const struct core *c) {
    while (!c->box[7]) {
    }
    function *f = (function *)(uintptr_t)c->box[0];
    c->box[7] = 0;
    if (!f) return false;
    f();
    fence();
    go(c->message, 4, WRITE);
    return true;
}

// The first core puts the tasks into its own queue MULTIPLE. Each of the other cores requests a task from this queue.
// The answer to a request is a descriptor, which arrives in the requesting core's line BOX.
static uint32_t task_multiple(const struct core *c) {
    if (c->number) {
        aim(c->message, c->master_ends, 0);
        aim(c->request, line_of(0, MULTIPLE), c->box);
        do go(c->request, 4, DEQUEUE);
        while (run_from_box(c));
        aim(c->message, line_of(0, ARRIVALS), 0);
        return 0;
    }
    volatile uint32_t *data = c->request + 8;
    aim(c->request, line_of(0, MULTIPLE), 0);
    const uint32_t before = line_of(0, ENDS)[0], start = now();
    for (int i = 0; i < TASKS; i++) {
        data[0] = (uint32_t)(uintptr_t)nothing;
#pragma GCC unroll 8
        for (uint32_t k = 1; k < 8; k++) data[k] = k;
        go(c->request, 32, ENQUEUE);
    }
    const uint32_t cycles = await_tasks(start, before, TASKS);
    for (int k = 1; k < c->cores; k++) {
        data[0] = 0;
        go(c->request, 32, ENQUEUE);
    }
    return cycles;
}

// The first core puts each task into the line BOX of one of the other cores, in turn, under a lock for this line. The
// lock is taken by one atomic exchange. The paper's machine has no such instruction.
static uint32_t task_locked(const struct core *c) {
    static uint32_t locks[CORES_MAX];
    if (c->number) {
        aim(c->message, c->master_ends, 0);
        while (run_from_box(c)) {
        }
        aim(c->message, line_of(0, ARRIVALS), 0);
        return 0;
    }
    const uint32_t before = line_of(0, ENDS)[0], start = now();
    uint32_t cycles = 0;
    for (int i = 0, to = 1; i <= TASKS; i++, to = to + 1 < c->cores ? to + 1 : 1) {
        if (i == TASKS) {
            cycles = await_tasks(start, before, TASKS);
            break;
        }
        while (__atomic_exchange_n(&locks[to], 1, __ATOMIC_ACQUIRE)) {
        }
        while (line_of(to, BOX)[7]) {
        }
        post(c, to, 0, nothing);
        __atomic_store_n(&locks[to], 0, __ATOMIC_RELEASE);
    }
    for (int k = 1; k < c->cores; k++) post(c, k, 0, NULL);
    return cycles;
}

#endif
