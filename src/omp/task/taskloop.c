// SPDX-License-Identifier: BSD-3-Clause
// Implements the taskloop construct: makes tasks that each run a part of a loop's iterations. The data of a task begins
// with the two bounds of its part, which the runtime stores.
#include "group.h"

enum {
    FLAG_UP = 1 << 8,
    FLAG_GRAINSIZE = 1 << 9,
    FLAG_IF = 1 << 10,
    FLAG_NOGROUP = 1 << 11,
    FLAG_REDUCTION = 1 << 12,
    FLAG_STRICT = 1 << 14
};

// Division of the iterations among `tasks` tasks. The first `longer` tasks have length + 1 iterations, and the other
// tasks have `length` iterations. If `last` is not 0, the last task has only `last` iterations. Only grainsize(strict:
// ...) sets `last`.
struct division {
    uint64_t tasks, length, longer, last;
};

static struct division divide(uint64_t iterations, uint64_t wanted, unsigned flags, uint32_t threads) {
    struct division division = {.tasks = wanted};
    if (flags & FLAG_GRAINSIZE) {
        uint64_t grain = wanted ? wanted : 1;
        division.tasks = iterations / grain;
        if (flags & FLAG_STRICT) {
            division.length = grain;
            division.last = iterations % grain;
            if (division.last) division.tasks++;
            return division;
        }
    } else if (!wanted) division.tasks = threads;
    if (division.tasks < 1) division.tasks = 1;
    if (division.tasks > iterations) division.tasks = iterations;
    division.length = iterations / division.tasks;
    division.longer = iterations % division.tasks;
    return division;
}

struct loop {
    omp_function *function;
    void *data;
    void (*copy)(void *, void *);
    long bytes, alignment;
    unsigned flags;
    int priority;
    uint64_t start, step;
    size_t bound_bytes; // bytes of each of the two bounds at the beginning of the data
};

// Stores the bounds of a task at the beginning of its data. The bounds have the width of the loop's variable, which is
// a long or a long long. These two types have different widths on machines whose long has 4 bytes.
SKERRY_ALWAYS_INLINE void store_bounds(void *data, size_t bound_bytes, uint64_t first, uint64_t last) {
    if (bound_bytes == sizeof(uint64_t)) {
        ((uint64_t *)data)[0] = first;
        ((uint64_t *)data)[1] = last;
    } else {
        ((uint32_t *)data)[0] = (uint32_t)first;
        ((uint32_t *)data)[1] = (uint32_t)last;
    }
}

// The bounds of the task that this thread makes now. There are two cases:
// * The program passes no copy function. The runtime stores the bounds at the beginning of the program's data before it
//   makes the task. The bounds are copied together with this data.
// * The program passes a copy function, which copies only the data after the bounds. copy_part calls the program's
//   function, and then stores the bounds.
static SKERRY_PER_THREAD const struct part {
    void (*copy)(void *, void *);
    uint64_t first, last;
    size_t bound_bytes;
} * current;

static void copy_part(void *own, void *data) {
    const struct part *part = current;
    part->copy(own, data);
    store_bounds(own, part->bound_bytes, part->first, part->last);
}

static void make_tasks(const struct loop *loop, const struct division *division) {
    uint64_t at = loop->start;
    bool may_defer = loop->flags & FLAG_IF;
    for (uint64_t i = 0; i < division->tasks; i++) {
        uint64_t length = division->length + (i < division->longer);
        if (division->last && i == division->tasks - 1) length = division->last;
        struct part part = {loop->copy, at, at + length * loop->step, loop->bound_bytes};
        at = part.last;
        if (!loop->copy) store_bounds(loop->data, loop->bound_bytes, part.first, part.last);
        const struct part *before = current;
        current = &part;
        GOMP_task(loop->function, loop->data, loop->copy ? copy_part : NULL, loop->bytes, loop->alignment, may_defer,
                  (loop->flags & 7) | (loop->priority > 0 ? 16 : 0), NULL, loop->priority, NULL);
        current = before;
    }
}

static void run(struct loop *loop, uint64_t iterations, uint64_t wanted) {
    struct omp_thread *self = omp_self();
    bool has_group = !(loop->flags & FLAG_NOGROUP), has_reduction = loop->flags & FLAG_REDUCTION;
    uintptr_t **behind_bounds = (uintptr_t **)(void *)((char *)loop->data + 2 * loop->bound_bytes);
    uintptr_t *reductions = has_reduction ? *behind_bounds : NULL;
    if (!iterations || omp_is_discarded(self->state.task)) {
        if (has_group && has_reduction) reductions[2] = 0; // tells the program that nothing was registered
        return;
    }
    struct division division = divide(iterations, wanted, loop->flags, self->state.team->threads);
    if (has_group) {
        GOMP_taskgroup_start();
        if (has_reduction) GOMP_taskgroup_reduction_register(reductions);
    }
    make_tasks(loop, &division);
    if (has_group) GOMP_taskgroup_end();
}

OMP_EXPORT void GOMP_taskloop(omp_function *function, void *data, void (*copy)(void *, void *), long bytes,
                              long alignment, unsigned flags, unsigned long tasks, int priority, long start, long end,
                              long step) {
    uint64_t iterations = 0;
    if (step > 0 && start < end) iterations = ((uint64_t)end - (uint64_t)start - 1) / (uint64_t)step + 1;
    if (step < 0 && start > end) iterations = ((uint64_t)start - (uint64_t)end - 1) / (0 - (uint64_t)step) + 1;
    struct loop loop = {function,        data,           copy,        bytes, alignment, flags, priority,
                        (uint64_t)start, (uint64_t)step, sizeof start};
    run(&loop, iterations, tasks);
}

OMP_EXPORT void GOMP_taskloop_ull(omp_function *function, void *data, void (*copy)(void *, void *), long bytes,
                                  long alignment, unsigned flags, unsigned long tasks, int priority,
                                  unsigned long long start, unsigned long long end, unsigned long long step) {
    uint64_t iterations = 0;
    if ((flags & FLAG_UP) && start < end) iterations = (end - start - 1) / step + 1;
    if (!(flags & FLAG_UP) && start > end) iterations = (start - end - 1) / (0 - step) + 1;
    struct loop loop = {function, data, copy, bytes, alignment, flags, priority, start, step, sizeof start};
    run(&loop, iterations, tasks);
}
