// SPDX-License-Identifier: BSD-3-Clause
// Copies and reads the internal control variables (ICVs) of tasks. Tasks share one struct with the values of the
// variables. Before a task sets a variable, the task gets its own copy of this struct.
#include "icv.h"

#include "../task/group.h"
#include "../task/optional.h"

struct omp_icv skerry_omp_initial_icv;
struct omp_device_icv skerry_omp_device;

void skerry_omp_copy_icv(struct omp_task *task) {
    struct omp_icv *own = skerry_memory_take(sizeof *own, _Alignof(struct omp_icv));
    if (!own) skerry_stop("libgomp: no memory for the control variables of a task");
    *own = *task->icv;
    task->icv = own;
    task->owns_icv = true;
    omp_note_extras(task);
}

void skerry_omp_drop_icv(struct omp_task *task) {
    skerry_memory_give((void *)(uintptr_t)task->icv);
    task->icv = NULL;
    task->owns_icv = false;
}

const struct omp_icv *skerry_omp_icv(void) {
    return omp_self()->state.task->icv;
}

struct omp_icv *skerry_omp_own_icv(void) {
    struct omp_thread *self = omp_self();
    struct omp_task *task = self->state.task;
    omp_forget_repeatable(self);
    omp_close_queue();
    omp_note_owner(self);
    omp_forget_frame(task);
    if (!task->owns_icv) skerry_omp_copy_icv(task);
    return (struct omp_icv *)(uintptr_t)task->icv;
}

// Returns the control variables of a team. These variables are a copy of `outer`, the variables of the task that forked
// the region. In this copy nthreads-var and bind-var have the values that OMP_NUM_THREADS and OMP_PROC_BIND list for
// the team's nesting level. Called only if one of these two environment variables has a list of values.
const struct omp_icv *skerry_omp_level_icv(struct omp_team *team, const struct omp_icv *outer) {
    const struct omp_device_icv *device = &skerry_omp_device;
    team->icv_copy = *outer;
    uint32_t level = team->level;
    if (level < device->threads_levels) team->icv_copy.threads = device->threads_list[level];
    if (level < device->bind_levels) team->icv_copy.bind = device->bind_list[level];
    return &team->icv_copy;
}

// Returns the number of threads for a region that requests `threads` threads while dyn-var (omp_set_dynamic) is true. A
// true dyn-var allows the runtime to choose fewer threads than requested. The runtime chooses at most one thread for
// each processor.
uint32_t skerry_omp_fewer(uint32_t threads) {
    uint32_t processors = (uint32_t)skerry_processors();
    return threads < processors ? threads : processors;
}

// -- Limits of threads -------------------------------------------------------------------------------------------------

// Returns the team at nesting level 0 in which `team` is nested, directly or indirectly. OMP_THREAD_LIMIT limits the
// number of threads of all regions in the team at level 0 together.
static struct omp_team *outermost(struct omp_team *team) {
    while (team->level) team = team->outer;
    return team;
}

// Claims threads for a region that wants `wanted` threads. `limit` (OMP_THREAD_LIMIT) can allow fewer threads. Returns
// the number of threads that the region gets, its master (the thread that forks the region) included. Masters of other
// regions claim threads at the same time, so the claim is a compare-swap.
uint32_t skerry_omp_claim_threads(struct omp_team *outer, uint32_t limit, uint32_t wanted) {
    uint32_t *others = &outermost(outer)->claimed; // number of claimed threads, not counting the thread at level 0
    uint32_t used = __atomic_load_n(others, __ATOMIC_RELAXED), threads;
    do {
        uint32_t left = limit - 1 > used ? limit - 1 - used : 0;
        threads = wanted - 1 < left ? wanted : left + 1;
    } while (!__atomic_compare_exchange_n(others, &used, used + threads - 1, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return threads;
}

void skerry_omp_return_threads(struct omp_team *team) {
    __atomic_fetch_sub(&outermost(team)->claimed, team->claimed, __ATOMIC_RELAXED);
    team->claimed = 0;
}
