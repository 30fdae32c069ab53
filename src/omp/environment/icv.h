// SPDX-License-Identifier: BSD-3-Clause
// Defines the internal control variables (ICVs; OpenMP 5.0, section 2.5), such as the default number of threads. Tasks
// share one struct of variables, and each task has a pointer to this struct. A new region or task therefore copies one
// pointer and not all variables. Before a task sets a variable, the task gets its own copy of the struct
// (skerry_omp_own_icv).
#ifndef SKERRY_OMP_ICV_H
#define SKERRY_OMP_ICV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Values of omp_sched_t: the schedules of a loop. The highest bit of a value means `monotonic`.
enum omp_schedule {
    OMP_SCHEDULE_RUNTIME,
    OMP_SCHEDULE_STATIC,
    OMP_SCHEDULE_DYNAMIC,
    OMP_SCHEDULE_GUIDED,
    OMP_SCHEDULE_AUTO
};
#define OMP_SCHEDULE_MONOTONIC 0x80000000u
#define OMP_SCHEDULE_ANY_ORDER 0x40000000u // only inside the runtime: iterations can be given out in any order

// Values of omp_proc_bind_t: how the threads of a team are bound to places.
enum omp_bind { OMP_BIND_FALSE, OMP_BIND_TRUE, OMP_BIND_PRIMARY, OMP_BIND_CLOSE, OMP_BIND_SPREAD };

#define OMP_DEVICE_INVALID (-4) // omp_invalid_device
enum omp_offload { OMP_OFFLOAD_DEFAULT, OMP_OFFLOAD_MANDATORY, OMP_OFFLOAD_DISABLED };

#define OMP_LEVELS_MAX 255 // value of omp_get_supported_active_levels
#define OMP_LIST_MAX 16    // number of levels for which OMP_NUM_THREADS and OMP_PROC_BIND can have different values

// The control variables of which each task can have its own values.
struct omp_icv {
    uint32_t threads; // nthreads-var: number of threads of a region without a num_threads clause
    uint32_t thread_limit;
    uint32_t schedule; // run-sched-var
    int32_t chunk;
    bool dynamic;
    uint8_t max_active_levels;
    uint8_t bind; // bind-var: enum omp_bind, for the regions that this task forks
    int32_t default_device;
    uintptr_t allocator;
};

// The control variables of which the process has one value for all tasks. The environment sets them before the first
// region. Afterwards only OpenMP routines that the program calls change them.
struct omp_device_icv {
    uint32_t threads_list[OMP_LIST_MAX]; // index: nesting level; the last value also holds for deeper levels
    uint32_t threads_levels;
    uint8_t bind_list[OMP_LIST_MAX];
    uint32_t bind_levels;
    bool cancellation;
    bool display_affinity;
    bool places_threads; // true if threads are bound to places or display their affinity
    int32_t max_task_priority;
    int32_t teams;       // nteams-var; 0: not set
    int32_t teams_limit; // teams-thread-limit-var; 0: not set
    size_t stack_bytes;
    int32_t wait_policy;         // OMP_WAIT_POLICY: -1 not set, 0 passive, 1 active
    int32_t display_environment; // OMP_DISPLAY_ENV: 0 no, 1 yes, 2 also this runtime's own variables
    int32_t target_offload;      // enum omp_offload
};

extern struct omp_icv skerry_omp_initial_icv;
extern struct omp_device_icv skerry_omp_device;

// skerry_omp_icv returns the control variables of the calling thread's task for reading only. skerry_omp_own_icv
// returns them for writing. If the task shares the variables with other tasks, skerry_omp_own_icv copies them first.
const struct omp_icv *skerry_omp_icv(void);
struct omp_icv *skerry_omp_own_icv(void);

#endif
