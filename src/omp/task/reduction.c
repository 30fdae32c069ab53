// SPDX-License-Identifier: BSD-3-Clause
// Implements reductions of tasks. A task looks up its thread's copy of a reduction variable. It knows the address of
// the variable or of another thread's copy. The compiled program describes the reduction variables of one construct by
// an array of words:
//     [0] number of variables.
//     [1] bytes of one thread's copies of all these variables.
//     [2] alignment of these copies in bytes; after registration: address of the copies of all threads.
//     [3] allocator.
//     [4] address of the next array: first the arrays of the same construct, then those of the enclosing constructs.
//     [5] not used by this runtime.
//     [6] address of the end of all threads' copies.
//     [7] and following: three words for each variable. These are the variable's address, the offset of its copy in a
//         thread's copies, and an unused word.
#include "../work_sharing/work_share.h"

enum { COUNT, BYTES, COPIES, ALLOCATOR, NEXT, UNUSED, END, VARIABLES };
#define VARIABLE_WORDS 3

// Registers the reductions of a construct: adds its arrays (descriptions of its variables) to the current task group
// and allocates the copies for all threads. In a work-sharing construct only the first thread to arrive allocates the
// copies. The other threads pass the array of that thread as `first`, and use the same copies.
void skerry_omp_reduction_register(struct omp_thread *self, uintptr_t *data, const uintptr_t *first, uint32_t threads) {
    struct omp_taskgroup *group = self->state.task->group;
    uintptr_t *outer = group->reductions;
    for (uintptr_t *array = data;; array = (uintptr_t *)array[NEXT]) {
        if (first) {
            array[COPIES] = first[COPIES];
            array[END] = first[END];
            first = (const uintptr_t *)first[NEXT];
        } else {
            size_t bytes = array[BYTES] * threads;
            void *copies = skerry_memory_take(bytes, array[COPIES] > SKERRY_LINE ? array[COPIES] : SKERRY_LINE);
            if (!copies) skerry_stop("libgomp: no memory for a task reduction");
            __builtin_memset(copies, 0, bytes);
            array[COPIES] = (uintptr_t)copies;
            array[END] = (uintptr_t)copies + bytes;
        }
        if (array[NEXT]) continue;
        array[NEXT] = (uintptr_t)outer;
        break;
    }
    group->reductions = data;
}

OMP_EXPORT void GOMP_taskgroup_reduction_register(uintptr_t *data) {
    struct omp_thread *self = omp_self();
    skerry_omp_reduction_register(self, data, NULL, self->state.team->threads);
}

OMP_EXPORT void GOMP_taskgroup_reduction_unregister(uintptr_t *data) {
    const struct omp_taskgroup *group = omp_self()->state.task->group;
    const uintptr_t *outer = group ? group->reductions : NULL;
    for (uintptr_t *array = data; array && array != outer; array = (uintptr_t *)array[NEXT])
        skerry_memory_give((void *)array[COPIES]);
}

static uintptr_t *variable_at(uintptr_t *array, uintptr_t place) {
    for (uintptr_t i = 0; i < array[COUNT]; i++) {
        uintptr_t *variable = &array[VARIABLES + VARIABLE_WORDS * i];
        if (variable[1] == place) return variable;
    }
    return NULL;
}

// Finds a variable by its address or by the address of any thread's copy. Searches the arrays of the innermost
// construct first. Returns the array that contains the variable, or NULL if no array contains it. Stores the offset of
// the variable's copy in a thread's copies to `*place`.
static uintptr_t *find(uintptr_t *array, uintptr_t address, uintptr_t *place) {
    for (; array; array = (uintptr_t *)array[NEXT]) {
        for (uintptr_t i = 0; i < array[COUNT]; i++) {
            const uintptr_t *variable = &array[VARIABLES + VARIABLE_WORDS * i];
            if (variable[0] != address) continue;
            *place = variable[1];
            return array;
        }
        if (address >= array[COPIES] && address < array[END]) {
            *place = (address - array[COPIES]) % array[BYTES];
            return array;
        }
    }
    return NULL;
}

// Each of the first `count` elements of `addresses` is the address of a variable, or of a thread's copy of a variable.
// The function replaces each of them by the address of the calling thread's copy. For each i below `originals`, it also
// stores the address of the variable itself into element count + i.
OMP_EXPORT void GOMP_task_reduction_remap(size_t count, size_t originals, void **addresses) {
    struct omp_thread *self = omp_self();
    const struct omp_taskgroup *group = self->state.task->group;
    for (size_t i = 0; i < count; i++) {
        uintptr_t place = 0;
        uintptr_t *array = group ? find(group->reductions, (uintptr_t)addresses[i], &place) : NULL;
        uintptr_t *variable = array && i < originals ? variable_at(array, place) : NULL;
        if (!array || (i < originals && !variable))
            skerry_stop(
                "libgomp: in_reduction: no task_reduction, or reduction with the task modifier, names this variable");
        if (variable) addresses[count + i] = (void *)variable[0];
        addresses[i] = (void *)(array[COPIES] + self->state.thread_number * array[BYTES] + place);
    }
}

// Ends a construct's reductions for the calling thread. Waits for the tasks of the construct's task group. Then thread
// 0 frees the copies. If the construct is not cancelled, all threads finally wait at a barrier.
OMP_EXPORT void GOMP_workshare_task_reduction_unregister(bool is_cancelled) {
    struct omp_thread *self = omp_self();
    uintptr_t *data = self->state.task->group->reductions;
    GOMP_taskgroup_end();
    if (self->state.thread_number == 0) GOMP_taskgroup_reduction_unregister(data);
    if (!is_cancelled) skerry_omp_barrier(self);
}

// Argument of run_region, which each thread of a region with reductions for its tasks runs. run_region runs the
// program's function in a task group that has these reductions.
struct region {
    omp_function *function;
    void *data;
    uintptr_t *reductions;
};

static void run_region(void *given) {
    const struct region *region = given;
    struct omp_thread *self = omp_self();
    GOMP_taskgroup_start();
    self->state.task->group->of_construct = true;
    self->state.task->group->reductions = region->reductions;
    region->function(region->data);
    GOMP_taskgroup_end();
}

// Runs a region with reductions for its tasks. Returns the number of threads of the region. After the region the
// program combines the copies of all these threads, and needs their number.
OMP_EXPORT unsigned GOMP_parallel_reductions(omp_function *function, void *data, unsigned threads, unsigned flags) {
    struct omp_thread *self = omp_self();
    struct omp_state saved;
    struct region region = {function, data, *(uintptr_t **)data};
    threads = skerry_omp_team_size(self, threads);
    for (uintptr_t *array = region.reductions; array; array = (uintptr_t *)array[NEXT]) {
        size_t bytes = array[BYTES] * threads;
        void *copies = skerry_memory_take(bytes, array[COPIES] > SKERRY_LINE ? array[COPIES] : SKERRY_LINE);
        if (!copies) skerry_stop("libgomp: no memory for a task reduction");
        __builtin_memset(copies, 0, bytes);
        array[COPIES] = (uintptr_t)copies;
        array[END] = (uintptr_t)copies + bytes;
    }
    skerry_omp_fork(self, &saved, run_region, &region, threads, flags);
    threads = self->state.team->threads;
    run_region(&region);
    skerry_omp_join(self);
    return threads;
}
