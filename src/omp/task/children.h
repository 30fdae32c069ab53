// SPDX-License-Identifier: BSD-3-Clause
// Counts the children of tasks, and frees the memory of tasks. task.c includes this file.
//
// Each task counts its children (struct omp_task):
// * `made`: number of children.
// * finished_here, freed_here: number of finished children and of freed children, counted for children that end on the
//   thread on which their parent runs. Only this thread changes these counts.
// * `elsewhere`: the same two numbers for children that end on other threads. The low half counts finished children,
//   the high half freed children.
// * A task that waits for its children waits until finished_here and the low half of `elsewhere` add up to `made`.
//
// How a task's memory is freed, after the memory of all its children:
// * If no child is left when the task ends, the task's own thread frees the memory.
// * If n children are left, the task subtracts n from the high half of `elsewhere`. This half is negative (modulo 2^32)
//   as long as children are left. The child whose addition makes it 0 is the last child, and its thread frees the task.
// * After the task has ended (has_ended), all children add to `elsewhere`, also children that end on the task's own
//   thread.
//
// Each addition to `elsewhere` is a release, and each load of it is an acquire. A parent that has waited for its
// children therefore sees everything that they stored. test/model/children.pml is a model of this protocol.
#ifndef SKERRY_OMP_CHILDREN_H
#define SKERRY_OMP_CHILDREN_H

#include "block.h"
#include "near_queue.h"

// A task that has made this number of children subtracts the number of freed children from its counts of children.
// Therefore no count exceeds its range. The number is half of this range. A test compiles this file with a smaller
// value.
#ifndef OMP_CHILDREN_MOST
#define OMP_CHILDREN_MOST (UINT32_C(1) << 31)
#endif

#define ONE_FREED (UINT64_C(1) << 32)

// Subtracts the number of freed children from all counts. Only the thread that runs the task calls this function,
// before the task ends. Until the task ends, other threads only add to `elsewhere`. No thread compares the high half of
// `elsewhere` with the number of children left.
static SKERRY_COLD void forget_freed_children(struct omp_task *task) {
    uint64_t elsewhere = __atomic_exchange_n(&task->elsewhere, 0, __ATOMIC_ACQ_REL);
    uint32_t freed = task->freed_here + (uint32_t)(elsewhere / ONE_FREED);
    task->made -= freed;
    task->finished_here += (uint32_t)elsewhere - freed; // each freed child has also finished
    task->freed_here = 0;
}

// Adds 1 to the parent's number of children. A child that runs at once is counted only if its own children still exist
// when it has ended.
SKERRY_ALWAYS_INLINE void add_child(struct omp_task *parent) {
    uint32_t made_before = parent->made++;
    if (OMP_LIKELY(made_before - 1 < OMP_CHILDREN_MOST - 1)) return;
    if (made_before == 0) {
        parent->elsewhere = 0;
        omp_note_extras(parent);
    } else forget_freed_children(parent);
}

// Return the halves of task->elsewhere. The loads are acquires. On machines with SKERRY_NEAR_MEMORY an atomic load of 64
// bits is a function that takes a lock in the first core, so there these functions load 32 bits. This is correct,
// because no addition carries from one half to the other, and because the threads that add complete their stores before.
typedef uint32_t __attribute__((may_alias)) half_word;

SKERRY_ALWAYS_INLINE uint32_t finished_elsewhere(const struct omp_task *task) {
    if (SKERRY_NEAR_MEMORY) return __atomic_load_n((const half_word *)&task->elsewhere, __ATOMIC_ACQUIRE);
    return (uint32_t)__atomic_load_n(&task->elsewhere, __ATOMIC_ACQUIRE);
}

SKERRY_ALWAYS_INLINE uint32_t freed_elsewhere(const struct omp_task *task) {
    if (SKERRY_NEAR_MEMORY) return __atomic_load_n((const half_word *)&task->elsewhere + 1, __ATOMIC_ACQUIRE);
    return (uint32_t)(__atomic_load_n(&task->elsewhere, __ATOMIC_ACQUIRE) >> 32);
}

// Adds to task->elsewhere, and returns its value before. The addition is a release.
SKERRY_ALWAYS_INLINE uint64_t add_elsewhere(struct omp_task *task, uint64_t value) {
    if (SKERRY_NEAR_MEMORY) skerry_complete_stores();
    return __atomic_fetch_add(&task->elsewhere, value, __ATOMIC_ACQ_REL);
}

// Returns true if `task` runs on the calling thread. In this case the thread is allowed to change finished_here and
// freed_here, which need no atomic operation.
SKERRY_ALWAYS_INLINE bool is_here(const struct omp_thread *self, const struct omp_task *task) {
    return task->team == self->state.team && task->thread_number == self->state.thread_number;
}

static void free_task(struct omp_thread *self, struct omp_task *task);

// Counts a child of `task` as freed. If also_finished is 1, also counts the child as finished. also_finished is 0 if
// the child has already been counted as finished.
static void free_child(struct omp_thread *self, struct omp_task *task, uint64_t also_finished) {
    if (is_here(self, task) && !task->has_ended) {
        task->freed_here++;
        task->finished_here += (uint32_t)also_finished;
        return;
    }
    uint64_t before = add_elsewhere(task, ONE_FREED + also_finished);
    if ((uint32_t)(before >> 32) == UINT32_MAX) free_task(self, task);
}

static void free_task(struct omp_thread *self, struct omp_task *task) {
    struct omp_task *parent = task->parent;
#if SKERRY_EVENTS
    if (task->is_from_queue) parent = NULL; // does not count it
#endif
    omp_block_give(self, &task->block);
    if (!SKERRY_EVENTS || parent) free_child(self, parent, 0);
}

// Counts a finished task in its parent, and frees the task's memory. If some children of the task are not freed yet,
// the last of them will free this memory.
static void count_off(struct omp_thread *self, struct omp_task *task) {
    struct omp_task *parent = task->parent;
    uint32_t left = task->made - task->freed_here;
    bool is_last = left == 0 || freed_elsewhere(task) == left;
    if (!is_last) {
        // The order of these two steps matters. The first step counts the task as finished in its parent. The second
        // step subtracts the children that are left. After it the last child can free the task, and possibly the parent
        // too.
        if (is_here(self, parent) && !parent->has_ended) parent->finished_here++;
        else add_elsewhere(parent, 1);
        uint64_t before = __atomic_fetch_sub(&task->elsewhere, (uint64_t)left << 32, __ATOMIC_ACQ_REL);
        if ((uint32_t)(before >> 32) == left) free_task(self, task);
        return;
    }
    omp_block_give(self, &task->block);
    free_child(self, parent, 1);
}

#if SKERRY_EVENTS
static bool awaits_transferred(struct omp_near *near, struct omp_task *task); // in near_transfer.h
#endif

SKERRY_ALWAYS_INLINE bool has_children(const struct omp_thread *self, struct omp_task *task) {
#if SKERRY_EVENTS
    struct omp_near *near = &self->state.member->near;
    if (near->maker == task && !omp_queue_is_done(near->unfinished, near->threads)) return true;
    if (omp_has_kept(near, task)) return true;
    if (awaits_transferred(near, task)) return true;
#endif
    (void)self;
    if (task->made == task->finished_here) return false;
    return task->made != task->finished_here + finished_elsewhere(task);
}

#endif
