// SPDX-License-Identifier: BSD-3-Clause
// Defines the entry points of loops: for each schedule, for loop variables of type long and of type unsigned long long,
// without and with ordered regions, alone and combined with a parallel region.
#include "work_share.h"

typedef unsigned long long ull;

// Converts a chunk, which counts iterations from 0, to values of the program's loop variable. The last chunk ends at
// the loop's own end, because the next multiple of the increment could overflow.
#define STORE_CHUNK(TYPE, self, chunk, first, last)                                                                    \
    do {                                                                                                               \
        const struct omp_work_share *work_share = (self)->state.work_share;                                            \
        *(first) = (TYPE)(work_share->start + (chunk).first * work_share->increment);                                  \
        *(last) = (chunk).last == work_share->iterations                                                               \
                      ? (TYPE)work_share->end                                                                          \
                      : (TYPE)(work_share->start + (chunk).last * work_share->increment);                              \
    } while (0)

#define NEXT(TYPE, NAME)                                                                                               \
    SKERRY_ALWAYS_INLINE bool next##NAME(struct omp_thread *self, uint32_t schedule, TYPE *first, TYPE *last) {        \
        struct omp_chunk chunk;                                                                                        \
        if (!omp_next(self, schedule, &chunk)) return false;                                                           \
        STORE_CHUNK(TYPE, self, chunk, first, last);                                                                   \
        return true;                                                                                                   \
    }                                                                                                                  \
    SKERRY_ALWAYS_INLINE bool next_ordered##NAME(struct omp_thread *self, uint32_t schedule, TYPE *first,              \
                                                 TYPE *last) {                                                         \
        struct omp_chunk chunk;                                                                                        \
        bool is_there = omp_next(self, schedule, &chunk);                                                              \
        skerry_omp_ordered_chunk(self, is_there ? &chunk : NULL);                                                      \
        if (is_there) STORE_CHUNK(TYPE, self, chunk, first, last);                                                     \
        return is_there;                                                                                               \
    }
NEXT(long, )
NEXT(ull, _ull)

#define SCHEDULE_OF(self) ((self)->state.work_share->schedule)

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

// Returns the schedule by which a chunk is taken. Usually the name of the entry point determines the schedule. For
// schedule(runtime) the loop's struct omp_work_share stores it.
#define KNOWN(self, SCHEDULE)                                                                                          \
    (((SCHEDULE) & ~OMP_SCHEDULE_ANY_ORDER) == OMP_SCHEDULE_RUNTIME ? SCHEDULE_OF(self)                                \
                                                                    : (SCHEDULE) & ~OMP_SCHEDULE_ANY_ORDER)

#define DYNAMIC_ANY_ORDER (OMP_SCHEDULE_DYNAMIC | OMP_SCHEDULE_ANY_ORDER)
#define RUNTIME_ANY_ORDER (OMP_SCHEDULE_RUNTIME | OMP_SCHEDULE_ANY_ORDER)

// Defines the entry points of one schedule. NAME is a part of their names. ORDERED is empty, or _ordered for loops with
// ordered regions.
#define LOOP(NAME, ORDERED, SCHEDULE)                                                                                  \
    OMP_EXPORT bool GOMP_loop_##NAME##_start(long start, long end, long increment, long chunk, long *first,            \
                                             long *last) {                                                             \
        struct omp_thread *self = begin(start, end, increment, SCHEDULE, chunk);                                       \
        return next##ORDERED(self, KNOWN(self, SCHEDULE), first, last);                                                \
    }                                                                                                                  \
    OMP_EXPORT bool GOMP_loop_ull_##NAME##_start(bool is_up, ull start, ull end, ull increment, ull chunk, ull *first, \
                                                 ull *last) {                                                          \
        struct omp_thread *self = begin_ull(is_up, start, end, increment, SCHEDULE, chunk);                            \
        return next##ORDERED##_ull(self, KNOWN(self, SCHEDULE), first, last);                                          \
    }                                                                                                                  \
    LOOP_NEXT(NAME, ORDERED, SCHEDULE)

// Defines the entry points for schedule(runtime), which have no argument for a chunk size.
#define LOOP_RUNTIME(NAME, ORDERED, SCHEDULE)                                                                          \
    OMP_EXPORT bool GOMP_loop_##NAME##_start(long start, long end, long increment, long *first, long *last) {          \
        struct omp_thread *self = begin(start, end, increment, SCHEDULE, 0);                                           \
        return next##ORDERED(self, SCHEDULE_OF(self), first, last);                                                    \
    }                                                                                                                  \
    OMP_EXPORT bool GOMP_loop_ull_##NAME##_start(bool is_up, ull start, ull end, ull increment, ull *first,            \
                                                 ull *last) {                                                          \
        struct omp_thread *self = begin_ull(is_up, start, end, increment, SCHEDULE, 0);                                \
        return next##ORDERED##_ull(self, SCHEDULE_OF(self), first, last);                                              \
    }                                                                                                                  \
    LOOP_NEXT(NAME, ORDERED, SCHEDULE)

#define LOOP_NEXT(NAME, ORDERED, SCHEDULE)                                                                             \
    OMP_EXPORT bool GOMP_loop_##NAME##_next(long *first, long *last) {                                                 \
        struct omp_thread *self = omp_self();                                                                          \
        return next##ORDERED(self, KNOWN(self, SCHEDULE), first, last);                                                \
    }                                                                                                                  \
    OMP_EXPORT bool GOMP_loop_ull_##NAME##_next(ull *first, ull *last) {                                               \
        struct omp_thread *self = omp_self();                                                                          \
        return next##ORDERED##_ull(self, KNOWN(self, SCHEDULE), first, last);                                          \
    }

LOOP(static, , OMP_SCHEDULE_STATIC)
LOOP(dynamic, , OMP_SCHEDULE_DYNAMIC)
LOOP(guided, , OMP_SCHEDULE_GUIDED)
LOOP(nonmonotonic_dynamic, , DYNAMIC_ANY_ORDER)
LOOP(nonmonotonic_guided, , OMP_SCHEDULE_GUIDED)
LOOP(ordered_static, _ordered, OMP_SCHEDULE_STATIC)
LOOP(ordered_dynamic, _ordered, OMP_SCHEDULE_DYNAMIC)
LOOP(ordered_guided, _ordered, OMP_SCHEDULE_GUIDED)
LOOP_RUNTIME(runtime, , OMP_SCHEDULE_RUNTIME)
LOOP_RUNTIME(nonmonotonic_runtime, , RUNTIME_ANY_ORDER)
LOOP_RUNTIME(maybe_nonmonotonic_runtime, , RUNTIME_ANY_ORDER)
LOOP_RUNTIME(ordered_runtime, _ordered, OMP_SCHEDULE_RUNTIME)

// Defines the entry points of OpenMP 5.0. They can also register reductions for tasks and allocate memory for the
// construct. If `first` is NULL, the thread only enters the construct and takes no chunk.
#define LOOP_EXTRA(NAME, ORDERED, ORDER)                                                                               \
    OMP_EXPORT bool GOMP_loop_##NAME##start(long start, long end, long increment, long schedule, long chunk,           \
                                            long *first, long *last, uintptr_t *reductions, void **memory) {           \
        struct omp_thread *self = begin_extra(&(struct omp_loop){.start = (uint64_t)start,                             \
                                                                 .end = (uint64_t)end,                                 \
                                                                 .increment = (uint64_t)increment,                     \
                                                                 .schedule = (uint32_t)schedule | (ORDER),             \
                                                                 .chunk = chunk > 0 ? (uint64_t)chunk : 0},            \
                                              reductions, memory);                                                     \
        return !first || next##ORDERED(self, SCHEDULE_OF(self), first, last);                                          \
    }                                                                                                                  \
    OMP_EXPORT bool GOMP_loop_ull_##NAME##start(bool is_up, ull start, ull end, ull increment, long schedule,          \
                                                ull chunk, ull *first, ull *last, uintptr_t *reductions,               \
                                                void **memory) {                                                       \
        struct omp_thread *self = begin_extra(&(struct omp_loop){.start = start,                                       \
                                                                 .end = end,                                           \
                                                                 .increment = increment,                               \
                                                                 .schedule = (uint32_t)schedule | (ORDER),             \
                                                                 .chunk = chunk,                                       \
                                                                 .is_up = is_up,                                       \
                                                                 .is_unsigned = true},                                 \
                                              reductions, memory);                                                     \
        return !first || next##ORDERED##_ull(self, SCHEDULE_OF(self), first, last);                                    \
    }

static struct omp_thread *begin_extra(const struct omp_loop *loop, uintptr_t *reductions, void **memory) {
    struct omp_thread *self = omp_self();
    bool is_first = skerry_omp_work_share_enter(self);
    if (is_first) skerry_omp_loop_set_up(self, loop);
    skerry_omp_work_share_extras(self, is_first, reductions, memory);
    if (is_first) omp_work_share_ready(self);
    return self;
}

LOOP_EXTRA(, , OMP_SCHEDULE_ANY_ORDER)
LOOP_EXTRA(ordered_, _ordered, 0)

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

// Argument of run_combined. Each thread of a region that is combined with a loop (`parallel for`) runs run_combined: it
// enters the loop and then calls the program's function. This function first asks for the thread's next chunk.
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

// Begins a region that is combined with a loop, and returns. The program then runs the master's part itself and calls
// GOMP_parallel_end. So the data for the other threads must exist until that call, and the team keeps its address
// (`started`).
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
