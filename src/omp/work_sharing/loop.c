// SPDX-License-Identifier: BSD-3-Clause
// Defines the entry points of loops that compiled programs call. There is one for each schedule and each type of the
// loop variable, without and with ordered regions. Further entry points begin a parallel region and its loop together.
#include "work_share.h"

typedef unsigned long long ull;

// Takes the thread's next chunk and stores its bounds in `values`, as values of the program's loop variable modulo
// 2^64. Returns false if no chunk is left. Each caller passes a constant as `is_ordered`, so the compiler removes the
// test of is_ordered.
SKERRY_ALWAYS_INLINE bool take(struct omp_thread *self, uint32_t schedule, bool is_ordered, struct omp_chunk *values) {
    struct omp_chunk chunk;
    bool is_there = omp_next(self, schedule, &chunk);
    if (is_ordered) skerry_omp_ordered_chunk(self, is_there ? &chunk : NULL);
    if (!is_there) return false;
    const struct omp_work_share *work_share = self->state.work_share;
    values->first = work_share->start + chunk.first * work_share->increment;
    // A struct omp_chunk contains numbers of iterations, counted from 0. The last chunk ends at the loop's `end`, as
    // the program passed it: start + iterations * increment could overflow.
    values->last =
        chunk.last == work_share->iterations ? work_share->end : work_share->start + chunk.last * work_share->increment;
    return true;
}

SKERRY_ALWAYS_INLINE bool next_long(struct omp_thread *self, uint32_t schedule, bool is_ordered, long *first,
                                    long *last) {
    struct omp_chunk values;
    if (!take(self, schedule, is_ordered, &values)) return false;
    *first = (long)values.first;
    *last = (long)values.last;
    return true;
}

SKERRY_ALWAYS_INLINE bool next_ull(struct omp_thread *self, uint32_t schedule, bool is_ordered, ull *first, ull *last) {
    struct omp_chunk values;
    if (!take(self, schedule, is_ordered, &values)) return false;
    *first = values.first;
    *last = values.last;
    return true;
}

SKERRY_ALWAYS_INLINE struct omp_thread *begin(long start, long end, long increment, uint32_t schedule, long chunk) {
    struct omp_thread *self = omp_self();
    skerry_omp_loop_begin(self, &(struct omp_loop){.start = (uint64_t)start,
                                                   .end = (uint64_t)end,
                                                   .increment = (uint64_t)increment,
                                                   .schedule = schedule,
                                                   .chunk = chunk > 0 ? (uint64_t)chunk : 0});
    return self;
}

SKERRY_ALWAYS_INLINE struct omp_thread *begin_ull(bool is_up, ull start, ull end, ull increment, uint32_t schedule,
                                                  ull chunk) {
    struct omp_thread *self = omp_self();
    skerry_omp_loop_begin(self, &(struct omp_loop){.start = start,
                                                   .end = end,
                                                   .increment = increment,
                                                   .schedule = schedule,
                                                   .chunk = chunk,
                                                   .is_up = is_up,
                                                   .is_unsigned = true});
    return self;
}

// Returns the schedule of a loop. Usually the name of the entry point determines the schedule. For schedule(runtime)
// the schedule is read from the loop's struct omp_work_share.
SKERRY_ALWAYS_INLINE uint32_t schedule_of(const struct omp_thread *self, uint32_t schedule) {
    schedule &= ~(uint32_t)OMP_SCHEDULE_ANY_ORDER;
    return schedule == OMP_SCHEDULE_RUNTIME ? self->state.work_share->schedule : schedule;
}

// start_long and start_ull begin a loop and take the thread's first chunk. They return false if no chunk is left.
SKERRY_ALWAYS_INLINE bool start_long(long start, long end, long increment, uint32_t schedule, long chunk,
                                     bool is_ordered, long *first, long *last) {
    struct omp_thread *self = begin(start, end, increment, schedule, chunk);
    return next_long(self, schedule_of(self, schedule), is_ordered, first, last);
}

SKERRY_ALWAYS_INLINE bool start_ull(bool is_up, ull start, ull end, ull increment, uint32_t schedule, ull chunk,
                                    bool is_ordered, ull *first, ull *last) {
    struct omp_thread *self = begin_ull(is_up, start, end, increment, schedule, chunk);
    return next_ull(self, schedule_of(self, schedule), is_ordered, first, last);
}

#define DYNAMIC_ANY_ORDER (OMP_SCHEDULE_DYNAMIC | OMP_SCHEDULE_ANY_ORDER)
#define RUNTIME_ANY_ORDER (OMP_SCHEDULE_RUNTIME | OMP_SCHEDULE_ANY_ORDER)

// These macros define the entry points of one schedule. NAME is a part of their names. IS_ORDERED is true for loops
// with ordered regions. The entry points for schedule(runtime) have no argument for a chunk size.
#define LOOP(NAME, IS_ORDERED, SCHEDULE)                                                                               \
    OMP_EXPORT bool GOMP_loop_##NAME##_start(long start, long end, long increment, long chunk, long *first,            \
                                             long *last) {                                                             \
        return start_long(start, end, increment, SCHEDULE, chunk, IS_ORDERED, first, last);                            \
    }                                                                                                                  \
    OMP_EXPORT bool GOMP_loop_ull_##NAME##_start(bool is_up, ull start, ull end, ull increment, ull chunk, ull *first, \
                                                 ull *last) {                                                          \
        return start_ull(is_up, start, end, increment, SCHEDULE, chunk, IS_ORDERED, first, last);                      \
    }                                                                                                                  \
    LOOP_NEXT(NAME, IS_ORDERED, SCHEDULE)

#define LOOP_RUNTIME(NAME, IS_ORDERED, SCHEDULE)                                                                       \
    OMP_EXPORT bool GOMP_loop_##NAME##_start(long start, long end, long increment, long *first, long *last) {          \
        return start_long(start, end, increment, SCHEDULE, 0, IS_ORDERED, first, last);                                \
    }                                                                                                                  \
    OMP_EXPORT bool GOMP_loop_ull_##NAME##_start(bool is_up, ull start, ull end, ull increment, ull *first,            \
                                                 ull *last) {                                                          \
        return start_ull(is_up, start, end, increment, SCHEDULE, 0, IS_ORDERED, first, last);                          \
    }                                                                                                                  \
    LOOP_NEXT(NAME, IS_ORDERED, SCHEDULE)

#define LOOP_NEXT(NAME, IS_ORDERED, SCHEDULE)                                                                          \
    OMP_EXPORT bool GOMP_loop_##NAME##_next(long *first, long *last) {                                                 \
        struct omp_thread *self = omp_self();                                                                          \
        return next_long(self, schedule_of(self, SCHEDULE), IS_ORDERED, first, last);                                  \
    }                                                                                                                  \
    OMP_EXPORT bool GOMP_loop_ull_##NAME##_next(ull *first, ull *last) {                                               \
        struct omp_thread *self = omp_self();                                                                          \
        return next_ull(self, schedule_of(self, SCHEDULE), IS_ORDERED, first, last);                                   \
    }

LOOP(static, false, OMP_SCHEDULE_STATIC)
LOOP(dynamic, false, OMP_SCHEDULE_DYNAMIC)
LOOP(guided, false, OMP_SCHEDULE_GUIDED)
LOOP(nonmonotonic_dynamic, false, DYNAMIC_ANY_ORDER)
LOOP(nonmonotonic_guided, false, OMP_SCHEDULE_GUIDED)
LOOP(ordered_static, true, OMP_SCHEDULE_STATIC)
LOOP(ordered_dynamic, true, OMP_SCHEDULE_DYNAMIC)
LOOP(ordered_guided, true, OMP_SCHEDULE_GUIDED)
LOOP_RUNTIME(runtime, false, OMP_SCHEDULE_RUNTIME)
LOOP_RUNTIME(nonmonotonic_runtime, false, RUNTIME_ANY_ORDER)
LOOP_RUNTIME(maybe_nonmonotonic_runtime, false, RUNTIME_ANY_ORDER)
LOOP_RUNTIME(ordered_runtime, true, OMP_SCHEDULE_RUNTIME)

// -- Entry points of OpenMP 5.0 ----------------------------------------------------------------------------------------

// The entry points that were added for OpenMP 5.0 can also register reductions for tasks, and allocate memory for the
// construct. If `first` (the place for the first chunk) is NULL, the thread only enters the loop and takes no chunk.
static struct omp_thread *begin_extra(const struct omp_loop *loop, uintptr_t *reductions, void **memory) {
    struct omp_thread *self = omp_self();
    bool is_first = skerry_omp_work_share_enter(self);
    if (is_first) skerry_omp_loop_set_up(self, loop);
    skerry_omp_work_share_extras(self, is_first, reductions, memory);
    if (is_first) omp_work_share_ready(self);
    return self;
}

SKERRY_ALWAYS_INLINE bool start_extra_long(long start, long end, long increment, uint32_t schedule, long chunk,
                                           bool is_ordered, long *first, long *last, uintptr_t *reductions,
                                           void **memory) {
    struct omp_thread *self = begin_extra(&(struct omp_loop){.start = (uint64_t)start,
                                                             .end = (uint64_t)end,
                                                             .increment = (uint64_t)increment,
                                                             .schedule = schedule,
                                                             .chunk = chunk > 0 ? (uint64_t)chunk : 0},
                                          reductions, memory);
    return !first || next_long(self, self->state.work_share->schedule, is_ordered, first, last);
}

SKERRY_ALWAYS_INLINE bool start_extra_ull(bool is_up, ull start, ull end, ull increment, uint32_t schedule, ull chunk,
                                          bool is_ordered, ull *first, ull *last, uintptr_t *reductions,
                                          void **memory) {
    struct omp_thread *self = begin_extra(&(struct omp_loop){.start = start,
                                                             .end = end,
                                                             .increment = increment,
                                                             .schedule = schedule,
                                                             .chunk = chunk,
                                                             .is_up = is_up,
                                                             .is_unsigned = true},
                                          reductions, memory);
    return !first || next_ull(self, self->state.work_share->schedule, is_ordered, first, last);
}

OMP_EXPORT bool GOMP_loop_start(long start, long end, long increment, long schedule, long chunk, long *first,
                                long *last, uintptr_t *reductions, void **memory) {
    return start_extra_long(start, end, increment, (uint32_t)schedule | OMP_SCHEDULE_ANY_ORDER, chunk, false, first,
                            last, reductions, memory);
}

OMP_EXPORT bool GOMP_loop_ull_start(bool is_up, ull start, ull end, ull increment, long schedule, ull chunk, ull *first,
                                    ull *last, uintptr_t *reductions, void **memory) {
    return start_extra_ull(is_up, start, end, increment, (uint32_t)schedule | OMP_SCHEDULE_ANY_ORDER, chunk, false,
                           first, last, reductions, memory);
}

OMP_EXPORT bool GOMP_loop_ordered_start(long start, long end, long increment, long schedule, long chunk, long *first,
                                        long *last, uintptr_t *reductions, void **memory) {
    return start_extra_long(start, end, increment, (uint32_t)schedule, chunk, true, first, last, reductions, memory);
}

OMP_EXPORT bool GOMP_loop_ull_ordered_start(bool is_up, ull start, ull end, ull increment, long schedule, ull chunk,
                                            ull *first, ull *last, uintptr_t *reductions, void **memory) {
    return start_extra_ull(is_up, start, end, increment, (uint32_t)schedule, chunk, true, first, last, reductions,
                           memory);
}

// -- Ends of loops -----------------------------------------------------------------------------------------------------

OMP_EXPORT void GOMP_loop_end(void) {
    struct omp_thread *self = omp_self();
    omp_work_share_leave(self);
    skerry_omp_barrier(self);
}

OMP_EXPORT bool GOMP_loop_end_cancel(void) {
    struct omp_thread *self = omp_self();
    omp_work_share_leave(self);
    return skerry_omp_barrier_cancel(self);
}

OMP_EXPORT void GOMP_loop_end_nowait(void) {
    omp_work_share_leave(omp_self());
}

// -- Combined with a region --------------------------------------------------------------------------------------------

// Argument of run_combined. Each thread of a region that is combined with a loop (`parallel for`) runs run_combined.
// run_combined enters the loop and then calls the program's function, which begins with a call that takes the thread's
// first chunk.
struct combined {
    omp_function *function;
    void *data;
    struct omp_loop loop;
};

static void run_combined(void *given) {
    const struct combined *combined = given;
    skerry_omp_loop_begin(omp_self(), &combined->loop);
    combined->function(combined->data);
}

static void run_parallel(omp_function *function, void *data, unsigned threads, unsigned flags, long start, long end,
                         long increment, uint32_t schedule, long chunk) {
    struct combined combined = {function,
                                data,
                                {.start = (uint64_t)start,
                                 .end = (uint64_t)end,
                                 .increment = (uint64_t)increment,
                                 .schedule = schedule,
                                 .chunk = chunk > 0 ? (uint64_t)chunk : 0}};
    GOMP_parallel(run_combined, &combined, threads, flags);
}

// Begins a region that is combined with a loop, and returns. After that the program itself runs the part of the master
// (thread 0), and then calls GOMP_parallel_end. The argument for the other threads must exist until that call. The
// argument is therefore allocated, and the team's field `started` keeps its address.
static void start_parallel(omp_function *function, void *data, unsigned threads, long start, long end, long increment,
                           uint32_t schedule, long chunk) {
    struct combined *combined = skerry_memory_take(sizeof *combined, _Alignof(struct combined));
    if (!combined) skerry_stop("libgomp: no memory for a parallel loop");
    *combined = (struct combined){function,
                                  data,
                                  {.start = (uint64_t)start,
                                   .end = (uint64_t)end,
                                   .increment = (uint64_t)increment,
                                   .schedule = schedule,
                                   .chunk = chunk > 0 ? (uint64_t)chunk : 0}};
    GOMP_parallel_start(run_combined, combined, threads);
    struct omp_thread *self = omp_self();
    self->state.team->started = combined;
    skerry_omp_loop_begin(self, &combined->loop);
}

#define PARALLEL(NAME, SCHEDULE)                                                                                       \
    OMP_EXPORT void GOMP_parallel_loop_##NAME(omp_function *function, void *data, unsigned threads, long start,        \
                                              long end, long increment, long chunk, unsigned flags) {                  \
        run_parallel(function, data, threads, flags, start, end, increment, SCHEDULE, chunk);                          \
    }
#define PARALLEL_RUNTIME(NAME, SCHEDULE)                                                                               \
    OMP_EXPORT void GOMP_parallel_loop_##NAME(omp_function *function, void *data, unsigned threads, long start,        \
                                              long end, long increment, unsigned flags) {                              \
        run_parallel(function, data, threads, flags, start, end, increment, SCHEDULE, 0);                              \
    }
#define PARALLEL_START(NAME, SCHEDULE)                                                                                 \
    OMP_EXPORT void GOMP_parallel_loop_##NAME##_start(omp_function *function, void *data, unsigned threads,            \
                                                      long start, long end, long increment, long chunk) {              \
        start_parallel(function, data, threads, start, end, increment, SCHEDULE, chunk);                               \
    }
PARALLEL(static, OMP_SCHEDULE_STATIC)
PARALLEL(dynamic, OMP_SCHEDULE_DYNAMIC)
PARALLEL(guided, OMP_SCHEDULE_GUIDED)
PARALLEL(nonmonotonic_dynamic, DYNAMIC_ANY_ORDER)
PARALLEL(nonmonotonic_guided, OMP_SCHEDULE_GUIDED)
PARALLEL_RUNTIME(runtime, OMP_SCHEDULE_RUNTIME)
PARALLEL_RUNTIME(nonmonotonic_runtime, RUNTIME_ANY_ORDER)
PARALLEL_RUNTIME(maybe_nonmonotonic_runtime, RUNTIME_ANY_ORDER)
PARALLEL_START(static, OMP_SCHEDULE_STATIC)
PARALLEL_START(dynamic, OMP_SCHEDULE_DYNAMIC)
PARALLEL_START(guided, OMP_SCHEDULE_GUIDED)
OMP_EXPORT void GOMP_parallel_loop_runtime_start(omp_function *function, void *data, unsigned threads, long start,
                                                 long end, long increment) {
    start_parallel(function, data, threads, start, end, increment, OMP_SCHEDULE_RUNTIME, 0);
}
