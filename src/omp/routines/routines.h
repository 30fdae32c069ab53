// SPDX-License-Identifier: BSD-3-Clause
// Declares the OpenMP routines that other files of the runtime call. fortran.c calls all of them.
#ifndef SKERRY_OMP_ROUTINES_H
#define SKERRY_OMP_ROUTINES_H

#include <stddef.h>
#include <stdint.h>

// Lists of routines that have the same parameters and result type, so that one macro X(name) can declare or wrap them.

#define OMP_ROUTINES_INT(X)                                                                                            \
    X(omp_get_thread_num)                                                                                              \
    X(omp_get_num_threads)                                                                                             \
    X(omp_get_max_threads)                                                                                             \
    X(omp_get_num_procs)                                                                                               \
    X(omp_in_parallel)                                                                                                 \
    X(omp_get_dynamic)                                                                                                 \
    X(omp_get_nested)                                                                                                  \
    X(omp_get_thread_limit)                                                                                            \
    X(omp_get_max_active_levels)                                                                                       \
    X(omp_get_supported_active_levels)                                                                                 \
    X(omp_get_level)                                                                                                   \
    X(omp_get_active_level)                                                                                            \
    X(omp_in_final)                                                                                                    \
    X(omp_in_explicit_task)                                                                                            \
    X(omp_get_cancellation)                                                                                            \
    X(omp_get_max_task_priority)                                                                                       \
    X(omp_get_proc_bind)                                                                                               \
    X(omp_get_num_places)                                                                                              \
    X(omp_get_place_num)                                                                                               \
    X(omp_get_partition_num_places)                                                                                    \
    X(omp_get_num_teams)                                                                                               \
    X(omp_get_team_num)                                                                                                \
    X(omp_get_max_teams)                                                                                               \
    X(omp_get_teams_thread_limit)                                                                                      \
    X(omp_get_num_devices)                                                                                             \
    X(omp_get_device_num)                                                                                              \
    X(omp_get_default_device)                                                                                          \
    X(omp_get_initial_device)                                                                                          \
    X(omp_is_initial_device)

#define OMP_ROUTINES_SET(X)                                                                                            \
    X(omp_set_num_threads)                                                                                             \
    X(omp_set_dynamic)                                                                                                 \
    X(omp_set_nested)                                                                                                  \
    X(omp_set_max_active_levels)                                                                                       \
    X(omp_set_num_teams)                                                                                               \
    X(omp_set_teams_thread_limit)                                                                                      \
    X(omp_set_default_device)

#define OMP_ROUTINES_ASK(X)                                                                                            \
    X(omp_get_ancestor_thread_num)                                                                                     \
    X(omp_get_team_size)                                                                                               \
    X(omp_get_place_num_procs)

#define OMP_ROUTINES_LOCK(X)                                                                                           \
    X(init_lock)                                                                                                       \
    X(destroy_lock)                                                                                                    \
    X(set_lock)                                                                                                        \
    X(unset_lock)

#define OMP_DECLARE_INT(name) int name(void);
#define OMP_DECLARE_SET(name) void name(int value);
#define OMP_DECLARE_ASK(name) int name(int number);
OMP_ROUTINES_INT(OMP_DECLARE_INT)
OMP_ROUTINES_SET(OMP_DECLARE_SET)
OMP_ROUTINES_ASK(OMP_DECLARE_ASK)

double omp_get_wtime(void);
double omp_get_wtick(void);
void omp_set_schedule(unsigned kind, int chunk);
void omp_get_schedule(unsigned *kind, int *chunk);
void omp_get_place_proc_ids(int place, int *ids);
void omp_get_partition_place_nums(int *numbers);
void omp_display_env(int verbose);
int omp_pause_resource(int kind, int device);
int omp_pause_resource_all(int kind);
void omp_fulfill_event(uintptr_t event);
struct omp_trait;
uintptr_t omp_init_allocator(uintptr_t space, int traits_count, const struct omp_trait *traits);
void omp_destroy_allocator(uintptr_t allocator);
void omp_set_default_allocator(uintptr_t allocator);
uintptr_t omp_get_default_allocator(void);

#endif
