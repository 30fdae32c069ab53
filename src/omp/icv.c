// SPDX-License-Identifier: BSD-3-Clause
// Internal control variables of tasks. Tasks share them until one sets a variable.
#include "icv.h"

#include "group.h"

struct omp_icv skerry_omp_initial_icv;
struct omp_device_icv skerry_omp_device;

void skerry_omp_copy_icv(struct omp_task *task) {
    struct omp_icv *own = skerry_memory_take(sizeof *own, _Alignof(struct omp_icv));
    if (!own) skerry_stop("libgomp: no memory");
    *own = *task->icv;
    task->icv = own;
    task->owns_icv = true;
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
    struct omp_task *task = omp_self()->state.task;
    if (!task->owns_icv) skerry_omp_copy_icv(task);
    return (struct omp_icv *)(uintptr_t)task->icv;
}

// Returns the variables for a team at its level. Called if OMP_NUM_THREADS or OMP_PROC_BIND has different values for
// several levels.
const struct omp_icv *skerry_omp_level_icv(struct omp_team *team, const struct omp_icv *outer) {
    const struct omp_device_icv *device = &skerry_omp_device;
    team->icv_copy = *outer;
    uint32_t level = team->level;
    if (level < device->threads_levels) team->icv_copy.threads = device->threads_list[level];
    if (level < device->bind_levels) team->icv_copy.bind = device->bind_list[level];
    return &team->icv_copy;
}

// Returns the number of threads of a region if dyn-var lets the runtime choose it: not more than there are processors.
uint32_t skerry_omp_fewer(uint32_t threads) {
    uint32_t processors = (uint32_t)skerry_processors();
    return threads < processors ? threads : processors;
}

// -- Limits of threads -------------------------------------------------------------------------------------------------

// Returns the team at level 0 around a team. OMP_THREAD_LIMIT limits all threads of the regions inside that team
// together.
static struct omp_team *outermost(struct omp_team *team) {
    while (team->level) team = team->outer;
    return team;
}

// Returns how many threads a region gets, its master included, of those that the limit leaves, and claims them. Other
// threads begin regions at the same time, so the claim is a compare-swap.
uint32_t skerry_omp_claim_threads(struct omp_team *outer, uint32_t limit, uint32_t wanted) {
    uint32_t *others = &outermost(outer)->claimed; // threads besides the first one
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
