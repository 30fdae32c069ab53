// SPDX-License-Identifier: BSD-3-Clause
// The taskloop construct: makes tasks that each run a part of a loop's iterations. The data of a task begins with the two
// bounds of its part, which the runtime stores. With a copy function, which copies the data behind the bounds, all tasks
// run at once.
#include "small.h"

enum {
    FLAG_UP = 1 << 8,
    FLAG_GRAINSIZE = 1 << 9,
    FLAG_IF = 1 << 10,
    FLAG_NOGROUP = 1 << 11,
    FLAG_REDUCTION = 1 << 12,
    FLAG_STRICT = 1 << 14
};

void GOMP_task(omp_function *function, void *data, void (*copy)(void *, void *), long bytes, long alignment,
               bool may_defer, unsigned flags, void **depends, int priority, void *detach);
void GOMP_taskwait(void);

struct task_loop {
    omp_function *function;
    void *data;
    void (*copy)(void *, void *);
    long bytes, alignment;
    unsigned flags;
    uint64_t start, step;
    bool is_wide; // the bounds are unsigned long long
};

// The division of the iterations: the first `longer` tasks have length + 1 iterations, the others `length`. If `last` is not
// 0, the last task has `last` iterations.
struct division {
    uint64_t tasks, length, longer, last;
};

static struct division divide(uint64_t iterations, uint64_t wanted, unsigned flags) {
    struct division division = {.tasks = wanted};
    if (flags & FLAG_GRAINSIZE) {
        const uint64_t grain = wanted ? wanted : 1;
        division.tasks = skerry_omp_divide(iterations, grain);
        if (flags & FLAG_STRICT) {
            division.length = grain;
            division.last = iterations - division.tasks * grain;
            division.tasks += division.last != 0;
            return division;
        }
    } else if (!wanted) division.tasks = skerry_omp_self.threads;
    if (division.tasks < 1) division.tasks = 1;
    if (division.tasks > iterations) division.tasks = iterations;
    division.length = skerry_omp_divide(iterations, division.tasks);
    division.longer = iterations - division.length * division.tasks;
    return division;
}

static void store_bounds(const struct task_loop *loop, void *data, uint64_t first, uint64_t last) {
    if (loop->is_wide) {
        ((uint64_t *)data)[0] = first;
        ((uint64_t *)data)[1] = last;
    } else {
        ((uint32_t *)data)[0] = (uint32_t)first;
        ((uint32_t *)data)[1] = (uint32_t)last;
    }
}

// Runs a task whose data need a copy function.
static void run_copy(const struct task_loop *loop, uint64_t first, uint64_t last) {
    char room[loop->bytes + loop->alignment - 1];
    const uintptr_t mask = (uintptr_t)loop->alignment - 1;
    void *at = (void *)(((uintptr_t)room + mask) & ~mask);
    loop->copy(at, loop->data);
    store_bounds(loop, at, first, last);
    GOMP_task(loop->function, at, NULL, loop->bytes, loop->alignment, false, loop->flags & 7, NULL, 0, NULL);
}

static void run(const struct task_loop *loop, uint64_t iterations, uint64_t wanted) {
    if (loop->flags & FLAG_REDUCTION)
        skerry_stop("#pragma omp taskloop with a reduction is not supported on this machine (GOMP_taskloop)");
    if (iterations == 0) return;
    const struct division division = divide(iterations, wanted, loop->flags);
    uint64_t at = loop->start;
    for (uint64_t i = 0; i < division.tasks; i++) {
        uint64_t length = division.length + (i < division.longer);
        if (division.last && i == division.tasks - 1) length = division.last;
        const uint64_t end = at + length * loop->step;
        if (loop->copy) {
            run_copy(loop, at, end);
        } else {
            store_bounds(loop, loop->data, at, end);
            GOMP_task(loop->function, loop->data, NULL, loop->bytes, loop->alignment, loop->flags & FLAG_IF,
                      loop->flags & 7, NULL, 0, NULL);
        }
        at = end;
    }
    if (!(loop->flags & FLAG_NOGROUP)) GOMP_taskwait();
}

void GOMP_taskloop(omp_function *function, void *data, void (*copy)(void *, void *), long bytes, long alignment,
                   unsigned flags, unsigned long tasks, int priority, long start, long end, long step);
void GOMP_taskloop(omp_function *function, void *data, void (*copy)(void *, void *), long bytes, long alignment,
                   unsigned flags, unsigned long tasks, int priority, long start, long end, long step) {
    (void)priority;
    const struct task_loop loop = {function,        data,           copy, bytes, alignment, flags,
                                   (uint64_t)start, (uint64_t)step, false};
    uint64_t iterations = 0;
    if (step > 0 && start < end)
        iterations = skerry_omp_divide((uint64_t)end - (uint64_t)start - 1, (uint64_t)step) + 1;
    if (step < 0 && start > end)
        iterations = skerry_omp_divide((uint64_t)start - (uint64_t)end - 1, 0 - (uint64_t)step) + 1;
    run(&loop, iterations, tasks);
}

void GOMP_taskloop_ull(omp_function *function, void *data, void (*copy)(void *, void *), long bytes, long alignment,
                       unsigned flags, unsigned long tasks, int priority, unsigned long long start,
                       unsigned long long end, unsigned long long step);
void GOMP_taskloop_ull(omp_function *function, void *data, void (*copy)(void *, void *), long bytes, long alignment,
                       unsigned flags, unsigned long tasks, int priority, unsigned long long start,
                       unsigned long long end, unsigned long long step) {
    (void)priority;
    const struct task_loop loop = {function, data, copy, bytes, alignment, flags, start, step, true};
    uint64_t iterations = 0;
    if ((flags & FLAG_UP) && start < end) iterations = skerry_omp_divide(end - start - 1, step) + 1;
    if (!(flags & FLAG_UP) && start > end) iterations = skerry_omp_divide(start - end - 1, 0 - step) + 1;
    run(&loop, iterations, tasks);
}
