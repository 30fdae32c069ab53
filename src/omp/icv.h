// SPDX-License-Identifier: BSD-3-Clause
// Internal control variables (OpenMP 5.0, section 2.5). Those of a data environment are shared by tasks as long as none sets one: a task
// that sets one gets a copy of its own (skerry_omp_own_icv), so that a region costs a pointer.
#ifndef SKERRY_OMP_ICV_H
#define SKERRY_OMP_ICV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// omp_sched_t; the highest bit says monotonic.
enum omp_schedule {
    OMP_SCHEDULE_RUNTIME,
    OMP_SCHEDULE_STATIC,
    OMP_SCHEDULE_DYNAMIC,
    OMP_SCHEDULE_GUIDED,
    OMP_SCHEDULE_AUTO
};
#define OMP_SCHEDULE_MONOTONIC 0x80000000u
#define OMP_SCHEDULE_ANY_ORDER 0x40000000u // within the runtime: iterations may be given out in any order

// omp_proc_bind_t
enum omp_bind { OMP_BIND_FALSE, OMP_BIND_TRUE, OMP_BIND_PRIMARY, OMP_BIND_CLOSE, OMP_BIND_SPREAD };

#define OMP_DEVICE_INVALID (-4) // omp_invalid_device
enum omp_offload { OMP_OFFLOAD_DEFAULT, OMP_OFFLOAD_MANDATORY, OMP_OFFLOAD_DISABLED };

#define OMP_LEVELS_MAX 255 // as omp_get_supported_active_levels says
#define OMP_LIST_MAX 16    // levels for which OMP_NUM_THREADS and OMP_PROC_BIND may differ

// Of a data environment.
struct omp_icv {
    uint32_t threads; // nthreads-var of this level: what a region without num_threads has
    uint32_t thread_limit;
    uint32_t schedule; // run-sched-var
    int32_t chunk;
    bool dynamic;
    uint8_t max_active_levels;
    uint8_t bind; // omp_proc_bind_t of this level
    int32_t default_device;
    uintptr_t allocator;
};

// Of the device: set by the environment before the first region, constant after but for what a routine may set.
struct omp_device_icv {
    uint32_t threads_list[OMP_LIST_MAX]; // by nesting level; the last one holds for deeper ones
    uint32_t threads_levels;
    uint8_t bind_list[OMP_LIST_MAX];
    uint32_t bind_levels;
    bool cancellation;
    bool display_affinity;
    bool places_threads; // there are places, or threads show where they are
    int32_t max_task_priority;
    int32_t teams;       // nteams-var, 0: not set
    int32_t teams_limit; // teams-thread-limit-var, 0: not set
    size_t stack_bytes;
    int32_t wait_policy;         // -1 not set, 0 passive, 1 active
    int32_t display_environment; // 1: yes, 2: of this runtime's too
    int32_t target_offload;      // enum omp_offload
};

extern struct omp_icv skerry_omp_initial_icv;
extern struct omp_device_icv skerry_omp_device;

// What the calling task sees, and what it may change.
const struct omp_icv *skerry_omp_icv(void);
struct omp_icv *skerry_omp_own_icv(void);

#endif
