// SPDX-License-Identifier: BSD-3-Clause
// Implements the priority queue of a team: a list, under a lock, of the ready tasks that are in no thread's deque. The
// task with the highest priority is first. The list contains tasks with a priority, and tasks for which the thread's
// deque had no free slot. It also contains tasks that a thread of another team made ready. The team's word
// `prioritized` is the number of tasks in the list. By this word a thread checks without the lock whether the list is
// empty.
#include "../sync/mutex.h"
#include "block.h"
#include "group.h"

#define PRIORITIES 64 // entries of `lasts`; all priorities from 63 on share the last entry

struct omp_priority_queue {
    uint32_t lock;
    struct omp_block *first, *lasts[PRIORITIES]; // lasts[p]: last task of priority p in the list
};

static struct omp_task *task_of(struct omp_block *block) {
    return omp_block_memory(block);
}

static struct omp_block **last_of(struct omp_priority_queue *list, const struct omp_task *task) {
    return &list->lasts[task->priority < PRIORITIES ? task->priority : PRIORITIES - 1];
}

// Returns the pointer in the list that must point to the new task. The new task is placed after all tasks of the same
// or a higher priority.
static struct omp_block **place_of(struct omp_priority_queue *list, const struct omp_task *task) {
    struct omp_block **last = last_of(list, task), **end = list->lasts + PRIORITIES;
    if (*last && task_of(*last)->priority >= task->priority) return &(*last)->next; // the usual case
    while (++last < end && !*last) {
    }
    struct omp_block **place = last < end ? &(*last)->next : &list->first;
    while (*place && task_of(*place)->priority >= task->priority) place = &(*place)->next;
    return place;
}

static struct omp_priority_queue *list_of(struct omp_team *team) {
    struct omp_priority_queue *list = __atomic_load_n(&team->priority_queue, __ATOMIC_ACQUIRE), *none = NULL;
    if (list) return list;
    list = skerry_memory_take(sizeof *list, _Alignof(struct omp_priority_queue));
    if (!list) skerry_stop("libgomp: GOMP_task: no memory");
    *list = (struct omp_priority_queue){0};
    if (__atomic_compare_exchange_n(&team->priority_queue, &none, list, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return list;
    skerry_memory_give(list);
    return none;
}

void skerry_omp_priority_add(struct omp_team *team, struct omp_task *task) {
    struct omp_priority_queue *list = list_of(team);
#if SKERRY_NEAR_MEMORY
    if (!omp_member(team, 0)->near.has_prioritized)
        for (uint32_t i = 0; i < team->threads; i++)
            __atomic_store_n(&omp_member(team, i)->near.has_prioritized, 1, __ATOMIC_RELAXED);
#endif
    omp_mutex_take(&list->lock);
    struct omp_block **place = place_of(list, task), **last = last_of(list, task);
    task->block.next = *place;
    *place = &task->block;
    if (!task->block.next || last_of(list, task_of(task->block.next)) != last) *last = &task->block;
    __atomic_store_n(&team->prioritized, team->prioritized + 1, __ATOMIC_RELAXED);
    omp_mutex_give(&list->lock);
}

struct omp_task *skerry_omp_priority_take(struct omp_team *team, bool (*may_take)(const struct omp_task *, void *),
                                          void *argument) {
    struct omp_priority_queue *list = list_of(team);
    omp_mutex_take(&list->lock);
    struct omp_block **place = &list->first, *before = NULL;
    while (*place && !may_take(task_of(*place), argument)) {
        before = *place;
        place = &before->next;
    }
    struct omp_task *task = *place ? task_of(*place) : NULL;
    if (task) {
        *place = task->block.next;
        struct omp_block **last = last_of(list, task);
        if (*last == &task->block) *last = before && last_of(list, task_of(before)) == last ? before : NULL;
        __atomic_store_n(&team->prioritized, team->prioritized - 1, __ATOMIC_RELAXED);
    }
    omp_mutex_give(&list->lock);
    return task;
}
