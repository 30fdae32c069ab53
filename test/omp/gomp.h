// SPDX-License-Identifier: BSD-3-Clause
// Entry points of the library for programs that call them as a compiler would: those that no compiler emits any more, and
// those that it would emit only for more than a test is about.
#ifndef SKERRY_TEST_OMP_GOMP_H
#define SKERRY_TEST_OMP_GOMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef unsigned long long ull;
typedef void gomp_function(void *data);

void GOMP_parallel(gomp_function *, void *, unsigned, unsigned);
void GOMP_parallel_start(gomp_function *, void *, unsigned);
void GOMP_parallel_end(void);
void GOMP_barrier(void);
bool GOMP_barrier_cancel(void);
bool GOMP_cancel(int, bool);
bool GOMP_cancellation_point(int);
void GOMP_critical_start(void);
void GOMP_critical_end(void);
void GOMP_ordered_start(void);
void GOMP_ordered_end(void);
bool GOMP_single_start(void);

void GOMP_loop_end(void);
void GOMP_loop_end_nowait(void);
bool GOMP_loop_end_cancel(void);

#define GOMP_SCHEDULES(X) X(static) X(dynamic) X(guided) X(ordered_static) X(ordered_dynamic) X(ordered_guided)
#define GOMP_SCHEDULES_NONMONOTONIC(X) X(nonmonotonic_dynamic) X(nonmonotonic_guided)
#define GOMP_SCHEDULES_RUNTIME(X) X(runtime) X(ordered_runtime) X(nonmonotonic_runtime) X(maybe_nonmonotonic_runtime)

// start, end, increment, chunk, and the first chunk's begin and end; the end is exclusive. `up` only for the unsigned ones.
#define GOMP_DECLARE_NEXT(schedule)                                                                                    \
    bool GOMP_loop_##schedule##_next(long *, long *);                                                                  \
    bool GOMP_loop_ull_##schedule##_next(ull *, ull *);
#define GOMP_DECLARE(schedule)                                                                                         \
    bool GOMP_loop_##schedule##_start(long, long, long, long, long *, long *);                                         \
    bool GOMP_loop_ull_##schedule##_start(bool up, ull, ull, ull, ull, ull *, ull *);
#define GOMP_DECLARE_RUNTIME(schedule)                                                                                 \
    bool GOMP_loop_##schedule##_start(long, long, long, long *, long *);                                               \
    bool GOMP_loop_ull_##schedule##_start(bool up, ull, ull, ull, ull *, ull *);

GOMP_SCHEDULES(GOMP_DECLARE)
GOMP_SCHEDULES_NONMONOTONIC(GOMP_DECLARE)
GOMP_SCHEDULES_RUNTIME(GOMP_DECLARE_RUNTIME)
GOMP_SCHEDULES(GOMP_DECLARE_NEXT)
GOMP_SCHEDULES_NONMONOTONIC(GOMP_DECLARE_NEXT)
GOMP_SCHEDULES_RUNTIME(GOMP_DECLARE_NEXT)

// With task reductions and memory of the construct: the schedule is a number, 0 runtime, 1 static, 2 dynamic, 3 guided,
// 4 auto, with the sign bit for monotonic.
bool GOMP_loop_start(long, long, long, long schedule, long chunk, long *, long *, uintptr_t *, void **);
bool GOMP_loop_ordered_start(long, long, long, long schedule, long chunk, long *, long *, uintptr_t *, void **);
bool GOMP_loop_ull_start(bool, ull, ull, ull, long schedule, ull chunk, ull *, ull *, uintptr_t *, void **);
bool GOMP_loop_ull_ordered_start(bool, ull, ull, ull, long schedule, ull chunk, ull *, ull *, uintptr_t *, void **);

// Parallel and loop in one: function, data, threads, start, end, increment, chunk and (without _start) flags.
#define GOMP_PARALLEL_LOOPS(X) X(static) X(dynamic) X(guided) X(nonmonotonic_dynamic) X(nonmonotonic_guided)
#define GOMP_PARALLEL_LOOPS_RUNTIME(X) X(runtime) X(nonmonotonic_runtime) X(maybe_nonmonotonic_runtime)
#define GOMP_DECLARE_PARALLEL(schedule)                                                                                \
    void GOMP_parallel_loop_##schedule(gomp_function *, void *, unsigned, long, long, long, long, unsigned);
#define GOMP_DECLARE_PARALLEL_RUNTIME(schedule)                                                                        \
    void GOMP_parallel_loop_##schedule(gomp_function *, void *, unsigned, long, long, long, unsigned);
GOMP_PARALLEL_LOOPS(GOMP_DECLARE_PARALLEL)
GOMP_PARALLEL_LOOPS_RUNTIME(GOMP_DECLARE_PARALLEL_RUNTIME)
void GOMP_parallel_loop_static_start(gomp_function *, void *, unsigned, long, long, long, long);
void GOMP_parallel_loop_dynamic_start(gomp_function *, void *, unsigned, long, long, long, long);
void GOMP_parallel_loop_guided_start(gomp_function *, void *, unsigned, long, long, long, long);
void GOMP_parallel_loop_runtime_start(gomp_function *, void *, unsigned, long, long, long);

unsigned GOMP_sections_start(unsigned);
unsigned GOMP_sections_next(void);
void GOMP_sections_end(void);
void GOMP_sections_end_nowait(void);
void GOMP_parallel_sections_start(gomp_function *, void *, unsigned, unsigned);
void GOMP_parallel_sections(gomp_function *, void *, unsigned, unsigned, unsigned);

// The number of dimensions, the iterations in each and, where the schedule has one, the chunk in iterations of the first.
#define GOMP_DOACROSS(X) X(static) X(dynamic) X(guided)
#define GOMP_DECLARE_DOACROSS(schedule)                                                                                \
    bool GOMP_loop_doacross_##schedule##_start(unsigned, long *, long, long *, long *);                                \
    bool GOMP_loop_ull_doacross_##schedule##_start(unsigned, ull *, ull, ull *, ull *);
GOMP_DOACROSS(GOMP_DECLARE_DOACROSS)
bool GOMP_loop_doacross_runtime_start(unsigned, long *, long *, long *);
bool GOMP_loop_ull_doacross_runtime_start(unsigned, ull *, ull *, ull *);
bool GOMP_loop_doacross_start(unsigned, long *, long schedule, long chunk, long *, long *, uintptr_t *, void **);
bool GOMP_loop_ull_doacross_start(unsigned, ull *, long schedule, ull chunk, ull *, ull *, uintptr_t *, void **);
void GOMP_doacross_post(long *);
void GOMP_doacross_wait(long, ...);
void GOMP_doacross_ull_post(ull *);
void GOMP_doacross_ull_wait(ull, ...);

// function, data, copy function, size and alignment of the arguments, whether deferred, flags, dependences, priority, event
void GOMP_task(gomp_function *, void *, void (*)(void *, void *), long, long, bool, unsigned, void **, int, void *);
void GOMP_taskwait(void);
void GOMP_taskgroup_start(void);
void GOMP_taskgroup_end(void);

// The device, what to run there, an unused word, and addresses, sizes and kinds of what is mapped.
void GOMP_target(int, gomp_function *, const void *, size_t, void **, size_t *, unsigned char *);
void GOMP_target_data(int, const void *, size_t, void **, size_t *, unsigned char *);
void GOMP_target_end_data(void);
void GOMP_target_update(int, const void *, size_t, void **, size_t *, unsigned char *);
void GOMP_teams(unsigned, unsigned);
void GOMP_offload_register(const void *, int, const void *);
void GOMP_offload_unregister(const void *, int, const void *);
void GOMP_offload_register_ver(unsigned, const void *, int, const void *);
void GOMP_offload_unregister_ver(unsigned, const void *, int, const void *);

#endif
