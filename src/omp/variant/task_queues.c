// SPDX-License-Identifier: BSD-3-Clause
// Implements the variants of tasks that are not the default (variant.h): ready tasks are in queues of src/primitive, or
// in stacks.
#include "variant.h"

#include "../../primitive/queue.h"
#include "../sync/mutex.h"
#include "../task/group.h"

#define TASKS_MAX 64 // capacity of a queue or a stack, in tasks

struct stack {
    _Alignas(SKERRY_FALSE_SHARING_RANGE) uint32_t lock;
    uint32_t count;
    struct omp_task *tasks[TASKS_MAX];
};

// The task queues of a team: one queue for each thread (variant srq), one stack for each thread (variant locks), or one
// queue for all threads (variant mrq).
struct omp_task_queues {
    struct skerry_queue **queues;
    struct stack *stacks;
};

static struct omp_task_queues *make(struct omp_team *team) {
    struct omp_task_queues *all = skerry_memory_take(sizeof *all, _Alignof(struct omp_task_queues));
    size_t stack_bytes = team->threads * sizeof(struct stack);
    if (!all) skerry_stop("libgomp: no memory for the tasks of a team");
    __builtin_memset(all, 0, sizeof *all);
    if (OMP_VARIANT(OMP_TASKS) == OMP_TASKS_LOCKS) {
        all->stacks = skerry_memory_take(stack_bytes, SKERRY_FALSE_SHARING_RANGE);
        if (!all->stacks) skerry_stop("libgomp: no memory for the tasks of a team");
        __builtin_memset(all->stacks, 0, stack_bytes);
        return all;
    }
    uint32_t count = OMP_VARIANT(OMP_TASKS) == OMP_TASKS_MRQ ? 1 : team->threads;
    all->queues = skerry_memory_take(count * sizeof *all->queues, _Alignof(struct skerry_queue *));
    if (!all->queues) skerry_stop("libgomp: no memory for the tasks of a team");
    for (uint32_t i = 0; i < count; i++)
        all->queues[i] =
            skerry_omp_queue_new(TASKS_MAX, sizeof(struct omp_task *), OMP_VARIANT(OMP_TASKS) == OMP_TASKS_MRQ);
    return all;
}

static void free_queues(struct omp_task_queues *all, uint32_t threads) {
    if (all->queues)
        for (uint32_t i = 0; i < (OMP_VARIANT(OMP_TASKS) == OMP_TASKS_MRQ ? 1 : threads); i++)
            skerry_memory_give(all->queues[i]);
    skerry_memory_give(all->queues);
    skerry_memory_give(all->stacks);
    skerry_memory_give(all);
}

void skerry_omp_tasks_free(struct omp_team *team) {
    if (team->task_queues) free_queues(team->task_queues, team->threads);
}

static struct omp_task_queues *queues_of(struct omp_team *team) {
    struct omp_task_queues *all = __atomic_load_n(&team->task_queues, __ATOMIC_ACQUIRE), *none = NULL;
    if (all) return all;
    all = make(team);
    if (__atomic_compare_exchange_n(&team->task_queues, &none, all, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return all;
    free_queues(all, team->threads);
    return none;
}

static bool send(struct skerry_queue *queue, struct omp_task *task, int owner) {
    struct skerry_queue_end end;
    skerry_word ticket;
    skerry_queue_open(&end, queue, owner);
    if (!skerry_queue_try_ticket(&end, &ticket)) return false;
    __builtin_memcpy(skerry_queue_slot_of(&end, ticket)->message, &task, sizeof task);
    skerry_queue_publish(&end, ticket, 0);
    return true;
}

// Adds a task to a stack. Returns false if the stack is full. `count` changes only under the lock. The store is atomic
// nevertheless, because pop also reads `count` without the lock.
static bool push(struct stack *stack, struct omp_task *task) {
    omp_mutex_take(&stack->lock);
    bool has_room = stack->count < TASKS_MAX;
    if (has_room) {
        stack->tasks[stack->count] = task;
        __atomic_store_n(&stack->count, stack->count + 1, __ATOMIC_RELAXED);
    }
    omp_mutex_give(&stack->lock);
    return has_room;
}

bool skerry_omp_tasks_add(struct omp_thread *self, struct omp_task *task) {
    struct omp_team *team = task->team;
    struct omp_task_queues *all = queues_of(team);
    if (OMP_VARIANT(OMP_TASKS) == OMP_TASKS_MRQ) return send(all->queues[0], task, team->eventcount);
    uint32_t to = self->next_reader++ % team->threads;
    if (OMP_VARIANT(OMP_TASKS) == OMP_TASKS_LOCKS) return push(&all->stacks[to], task);
    return send(all->queues[to], task, omp_member(team, to)->thread->number);
}

static struct omp_task *pop(struct stack *stack) {
    if (!__atomic_load_n(&stack->count, __ATOMIC_RELAXED)) return NULL;
    omp_mutex_take(&stack->lock);
    struct omp_task *task = NULL;
    if (stack->count) {
        task = stack->tasks[stack->count - 1];
        __atomic_store_n(&stack->count, stack->count - 1, __ATOMIC_RELAXED);
    }
    omp_mutex_give(&stack->lock);
    return task;
}

static struct omp_task *receive(struct skerry_queue *queue) {
    struct omp_task *task;
    if (queue->many_readers) {
        skerry_word ticket;
        if (!skerry_queue_try_request(queue, &ticket)) return NULL;
        __builtin_memcpy(&task, skerry_queue_own_slot(queue, ticket)->message, sizeof task);
        skerry_queue_release_ticket(queue, ticket);
        return task;
    }
    const struct skerry_queue_slot *slot = skerry_queue_first(queue);
    if (!slot) return NULL;
    __builtin_memcpy(&task, slot->message, sizeof task);
    skerry_queue_release(queue);
    return task;
}

// Takes a task for which may_take(task, argument) is true from the thread's queue or stack. A thread must dequeue a
// task to examine it. If the thread is not allowed to run the task now, it adds the task to the team's priority queue.
// All threads search in this queue. The other threads possibly sleep, so they are woken afterwards.
struct omp_task *skerry_omp_tasks_take(struct omp_thread *self, bool (*may_take)(const struct omp_task *, void *),
                                       void *argument) {
    struct omp_team *team = self->state.team;
    struct omp_task_queues *all = queues_of(team);
    uint32_t own = OMP_VARIANT(OMP_TASKS) == OMP_TASKS_MRQ ? 0 : self->state.thread_number;
    bool has_moved = false;
    for (;;) {
        struct omp_task *task =
            OMP_VARIANT(OMP_TASKS) == OMP_TASKS_LOCKS ? pop(&all->stacks[own]) : receive(all->queues[own]);
        if (!task || may_take(task, argument)) {
            if (has_moved) skerry_omp_notify_all(team);
            return task;
        }
        skerry_omp_priority_add(team, task);
        has_moved = true;
    }
}
