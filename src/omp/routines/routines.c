// SPDX-License-Identifier: BSD-3-Clause
// Defines the routines of OpenMP 5.0, section 3.2: they get and set control variables, return properties of threads and
// teams, and return the time. A call needs only a few loads. The exception is the first call in a task that sets a
// control variable: the call copies all control variables of the task.
#include "routines.h"

#include "../task/group.h"

SKERRY_ALWAYS_INLINE const struct omp_icv *current(void) {
    return omp_self()->state.task->icv;
}

// -- Threads and teams -------------------------------------------------------------------------------------------------

OMP_EXPORT int omp_get_thread_num(void) {
    return (int)omp_self()->state.thread_number;
}

OMP_EXPORT int omp_get_num_threads(void) {
    return (int)omp_threads(omp_self());
}

OMP_EXPORT int omp_get_level(void) {
    return (int)omp_self()->state.team->level;
}

OMP_EXPORT int omp_get_active_level(void) {
    return (int)omp_self()->state.team->active_level;
}

OMP_EXPORT int omp_in_parallel(void) {
    return omp_self()->state.team->active_level > 0;
}

OMP_EXPORT int omp_get_ancestor_thread_num(int level) {
    const struct omp_thread *self = omp_self();
    const struct omp_team *team = self->state.team;
    uint32_t number = self->state.thread_number;
    if (level < 0 || (uint32_t)level > team->level) return -1;
    for (; team->level > (uint32_t)level; team = team->outer) number = team->outer_number;
    return (int)number;
}

OMP_EXPORT int omp_get_team_size(int level) {
    const struct omp_team *team = omp_self()->state.team;
    if (level < 0 || (uint32_t)level > team->level) return -1;
    while (team->level > (uint32_t)level) team = team->outer;
    return (int)team->threads;
}

OMP_EXPORT int omp_in_final(void) {
    return omp_self()->state.task->is_final;
}

OMP_EXPORT int omp_in_explicit_task(void) {
    return omp_self()->state.task->is_explicit;
}

OMP_EXPORT int omp_get_num_procs(void) {
    return skerry_processors();
}

// -- Settings for later regions ----------------------------------------------------------------------------------------

OMP_EXPORT void omp_set_num_threads(int threads) {
    skerry_omp_own_icv()->threads = threads > 0 ? (uint32_t)threads : 1;
}

OMP_EXPORT int omp_get_max_threads(void) {
    return (int)current()->threads;
}

OMP_EXPORT int omp_get_thread_limit(void) {
    uint32_t limit = current()->thread_limit;
    return limit > INT32_MAX ? INT32_MAX : (int)limit;
}

OMP_EXPORT void omp_set_dynamic(int dynamic) {
    skerry_omp_own_icv()->dynamic = dynamic;
}

OMP_EXPORT int omp_get_dynamic(void) {
    return current()->dynamic;
}

OMP_EXPORT void omp_set_max_active_levels(int levels) {
    if (levels < 0) return;
    skerry_omp_own_icv()->max_active_levels = levels > OMP_LEVELS_MAX ? OMP_LEVELS_MAX : (uint8_t)levels;
}

OMP_EXPORT int omp_get_max_active_levels(void) {
    return current()->max_active_levels;
}

OMP_EXPORT int omp_get_supported_active_levels(void) {
    return OMP_LEVELS_MAX;
}

// Switches nested parallelism on or off. omp_set_max_active_levels has replaced this routine in OpenMP 5.0.
OMP_EXPORT void omp_set_nested(int nested) {
    if (nested) skerry_omp_own_icv()->max_active_levels = OMP_LEVELS_MAX;
    else if (current()->max_active_levels > 1) skerry_omp_own_icv()->max_active_levels = 1;
}

OMP_EXPORT int omp_get_nested(void) {
    const struct omp_thread *self = omp_self();
    uint32_t levels = self->state.task->icv->max_active_levels;
    return levels > 1 && levels > self->state.team->active_level;
}

OMP_EXPORT void omp_set_schedule(unsigned kind, int chunk) {
    unsigned schedule = kind & ~OMP_SCHEDULE_MONOTONIC;
    if (schedule < OMP_SCHEDULE_STATIC || schedule > OMP_SCHEDULE_AUTO) return;
    struct omp_icv *icv = skerry_omp_own_icv();
    icv->schedule = kind;
    if (schedule == OMP_SCHEDULE_AUTO) return;
    if (chunk < 1) chunk = schedule != OMP_SCHEDULE_STATIC;
    icv->chunk = chunk;
}

OMP_EXPORT void omp_get_schedule(unsigned *kind, int *chunk) {
    const struct omp_icv *icv = current();
    *kind = icv->schedule;
    *chunk = icv->chunk;
}

OMP_EXPORT int omp_get_proc_bind(void) {
    return current()->bind;
}

OMP_EXPORT int omp_get_cancellation(void) {
    return skerry_omp_device.cancellation;
}

OMP_EXPORT int omp_get_max_task_priority(void) {
    return skerry_omp_device.max_task_priority;
}

OMP_EXPORT void omp_set_default_allocator(uintptr_t allocator) {
    skerry_omp_own_icv()->allocator = allocator ? allocator : 1;
}

OMP_EXPORT uintptr_t omp_get_default_allocator(void) {
    return current()->allocator;
}

// -- Time --------------------------------------------------------------------------------------------------------------

OMP_EXPORT double omp_get_wtime(void) {
    return skerry_seconds();
}

OMP_EXPORT double omp_get_wtick(void) {
    return skerry_seconds_tick();
}
