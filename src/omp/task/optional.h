// SPDX-License-Identifier: BSD-3-Clause
// Makes the code of tasks optional where the runtime is a static library (SKERRY_STATIC_LIBRARY): a program contains this
// code only if it calls a function of this folder, because all references to it from files that other programs contain are
// weak. Without this code there are no tasks, so the other files call these functions in one of two cases only: a word says
// that a task was made, or a program has called another function of this folder before. omp_is_quiet has a test of its own.
#ifndef SKERRY_OMP_OPTIONAL_H
#define SKERRY_OMP_OPTIONAL_H

#include "../internal.h"

#if SKERRY_STATIC_LIBRARY
#pragma weak skerry_omp_run_some_task
#pragma weak skerry_omp_tasks_left
#pragma weak skerry_omp_is_quiet
#pragma weak skerry_omp_finish_tasks
#pragma weak skerry_omp_free_frames
#pragma weak skerry_omp_return_places
#pragma weak skerry_omp_close_for_tasks
#pragma weak skerry_omp_forget_addresses
#pragma weak skerry_omp_reduction_register
#pragma weak GOMP_taskgroup_start
#define OMP_HAS_TASKS (&skerry_omp_is_quiet != NULL)
#else
#define OMP_HAS_TASKS true
#endif

// Returns skerry_omp_is_quiet, also if the program has no code of tasks.
SKERRY_ALWAYS_INLINE bool omp_is_quiet(const struct omp_team *team) {
    return !OMP_HAS_TASKS || skerry_omp_is_quiet(team);
}

#endif
