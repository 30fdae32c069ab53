// SPDX-License-Identifier: BSD-3-Clause
// Implements the sections construct, as a loop with a dynamic schedule over the section numbers 1 to `count`, in chunks
// of one. The entry points that take a section return its number, or 0 if no section is left.
#include "work_share.h"

static void begin(struct omp_thread *self, unsigned count, uintptr_t *reductions, void **memory) {
    bool is_first = skerry_omp_work_share_enter(self);
    if (is_first)
        skerry_omp_loop_set_up(
            self,
            &(struct omp_loop){
                .start = 1, .end = (uint64_t)count + 1, .increment = 1, .chunk = 1, .schedule = OMP_SCHEDULE_DYNAMIC});
    skerry_omp_work_share_extras(self, is_first, reductions, memory);
    if (is_first) omp_work_share_ready(self);
}

static unsigned next(struct omp_thread *self) {
    struct omp_chunk chunk;
    return skerry_omp_next_dynamic(self, &chunk) ? (unsigned)chunk.first + 1 : 0;
}

OMP_EXPORT unsigned GOMP_sections_start(unsigned count) {
    struct omp_thread *self = omp_self();
    begin(self, count, NULL, NULL);
    return next(self);
}

OMP_EXPORT unsigned GOMP_sections2_start(unsigned count, uintptr_t *reductions, void **memory) {
    struct omp_thread *self = omp_self();
    begin(self, count, reductions, memory);
    return next(self);
}

OMP_EXPORT unsigned GOMP_sections_next(void) {
    return next(omp_self());
}

OMP_EXPORT void GOMP_sections_end(void) {
    struct omp_thread *self = omp_self();
    omp_work_share_leave(self);
    skerry_omp_barrier(self);
}

OMP_EXPORT bool GOMP_sections_end_cancel(void) {
    struct omp_thread *self = omp_self();
    omp_work_share_leave(self);
    return skerry_omp_barrier_cancel(self);
}

OMP_EXPORT void GOMP_sections_end_nowait(void) {
    omp_work_share_leave(omp_self());
}

// Argument of run_combined. Each thread of a region that is combined with sections (`parallel sections`) runs
// run_combined. Such a region works like a region combined with a loop (loop.c).
struct combined {
    omp_function *function;
    void *data;
    unsigned count;
};

static void run_combined(void *given) {
    const struct combined *combined = given;
    begin(omp_self(), combined->count, NULL, NULL);
    combined->function(combined->data);
}

OMP_EXPORT void GOMP_parallel_sections(omp_function *function, void *data, unsigned threads, unsigned count,
                                       unsigned flags) {
    struct combined combined = {function, data, count};
    GOMP_parallel(run_combined, &combined, threads, flags);
}

OMP_EXPORT void GOMP_parallel_sections_start(omp_function *function, void *data, unsigned threads, unsigned count) {
    struct combined *combined = skerry_memory_take(sizeof *combined, _Alignof(struct combined));
    if (!combined) skerry_stop("libgomp: no memory for parallel sections");
    *combined = (struct combined){function, data, count};
    GOMP_parallel_start(run_combined, combined, threads);
    struct omp_thread *self = omp_self();
    self->state.team->started = combined;
    begin(self, count, NULL, NULL);
}

// Begins a scope construct, which distributes no work. Its threads only share the data for reductions of tasks.
// GOMP_workshare_task_reduction_unregister ends the construct.
OMP_EXPORT void GOMP_scope_start(uintptr_t *reductions) {
    struct omp_thread *self = omp_self();
    bool is_first = skerry_omp_work_share_enter(self);
    skerry_omp_work_share_extras(self, is_first, reductions, NULL);
    if (is_first) omp_work_share_ready(self);
}
