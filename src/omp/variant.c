// SPDX-License-Identifier: BSD-3-Clause
// Implements the variants of Tendulkar et al. 2011 that are not the default (variant.h): descriptors of regions through
// queues, and tasks in queues or stacks. The queues are those of src/primitive.
#include "variant.h"

#include "../primitive/mailbox.h"
#include "../primitive/queue.h"
#include "group.h"
#include "mutex.h"

struct omp_variants skerry_omp_variants;

// -- Descriptors through queues ----------------------------------------------------------------------------------------

struct descriptor {
    omp_function *function;
    void *data;
    struct omp_team *team;
};

#define DESCRIPTORS 2 // slots of the queue: only one message is in it at a time, but a queue needs two slots

static struct skerry_queue *queue_new(uint32_t capacity, size_t message_bytes, bool many_readers) {
    size_t slot_bytes = skerry_queue_slot_bytes(message_bytes);
    size_t bytes = skerry_queue_bytes(capacity, slot_bytes);
    struct skerry_queue *queue = skerry_memory_take(bytes, SKERRY_FALSE_SHARING_RANGE);
    if (!queue) skerry_stop("libgomp: no memory for a queue");
    __builtin_memset(queue, 0, bytes);
    skerry_queue_create(queue, capacity, slot_bytes, many_readers);
    return queue;
}

// Sends a region's descriptor to thread `to`. Only the calling thread forks regions for `to`. So it creates the queue
// at its first call, and no other thread sends to this queue.
void skerry_omp_descriptor_send(struct omp_thread *to, omp_function *function, void *data, struct omp_team *team,
                                uint32_t thread_number) {
    struct skerry_queue *queue = to->descriptors;
    if (!queue)
        __atomic_store_n(&to->descriptors, queue = queue_new(DESCRIPTORS, sizeof(struct descriptor), false),
                         __ATOMIC_RELEASE);
    struct skerry_queue_end end;
    skerry_queue_open(&end, queue, to->number);
    // Never waits for a slot: the region of the last descriptor has ended, so the queue is empty.
    skerry_word ticket = skerry_queue_take_ticket(&end);
    struct descriptor *message = (struct descriptor *)(void *)skerry_queue_slot_of(&end, ticket)->message;
    *message = (struct descriptor){function, data, team};
    skerry_queue_publish(&end, ticket, thread_number);
}

bool skerry_omp_descriptor_receive(struct omp_thread *self) {
    struct skerry_queue *queue = __atomic_load_n(&self->descriptors, __ATOMIC_ACQUIRE);
    struct skerry_queue_slot *slot = queue ? skerry_queue_first(queue) : NULL;
    if (!slot) return false;
    const struct descriptor *message = (const struct descriptor *)(const void *)slot->message;
    self->box.function = message->function;
    self->box.data = message->data;
    self->box.team = message->team;
    self->box.thread_number = slot->note;
    skerry_queue_release(queue);
    return true;
}

// -- Tasks -------------------------------------------------------------------------------------------------------------

#define TASKS_MAX 64 // capacity of a queue or a stack, in tasks

struct stack {
    _Alignas(SKERRY_FALSE_SHARING_RANGE) uint32_t lock;
    uint32_t count;
    struct omp_task *tasks[TASKS_MAX];
};

// The task queues of a team: one queue for each thread (srq), one stack for each thread (locks), or one queue for all
// threads (mrq).
struct omp_task_queues {
    uint32_t next; // unused
    struct skerry_queue **queues;
    struct stack *stacks;
};

static struct omp_task_queues *make(struct omp_team *team) {
    struct omp_task_queues *all = skerry_memory_take(sizeof *all, _Alignof(struct omp_task_queues));
    size_t stack_bytes = team->threads * sizeof(struct stack);
    if (!all) skerry_stop("libgomp: no memory for the tasks of a team");
    __builtin_memset(all, 0, sizeof *all);
    if (skerry_omp_variants.tasks == OMP_TASKS_LOCKS) {
        all->stacks = skerry_memory_take(stack_bytes, SKERRY_FALSE_SHARING_RANGE);
        if (!all->stacks) skerry_stop("libgomp: no memory for the tasks of a team");
        __builtin_memset(all->stacks, 0, stack_bytes);
        return all;
    }
    uint32_t count = skerry_omp_variants.tasks == OMP_TASKS_MRQ ? 1 : team->threads;
    all->queues = skerry_memory_take(count * sizeof *all->queues, _Alignof(struct skerry_queue *));
    if (!all->queues) skerry_stop("libgomp: no memory for the tasks of a team");
    for (uint32_t i = 0; i < count; i++)
        all->queues[i] = queue_new(TASKS_MAX, sizeof(struct omp_task *), skerry_omp_variants.tasks == OMP_TASKS_MRQ);
    return all;
}

static void free_queues(struct omp_task_queues *all, uint32_t threads) {
    if (all->queues)
        for (uint32_t i = 0; i < (skerry_omp_variants.tasks == OMP_TASKS_MRQ ? 1 : threads); i++)
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

// Adds a task to a stack. Returns false if the stack is full. `count` changes only under the lock, but is stored
// atomically, because pop reads it once without the lock.
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
    if (skerry_omp_variants.tasks == OMP_TASKS_MRQ) return send(all->queues[0], task, team->eventcount);
    uint32_t to = self->next_reader++ % team->threads;
    if (skerry_omp_variants.tasks == OMP_TASKS_LOCKS) return push(&all->stacks[to], task);
    return send(all->queues[to], task, team->members[to].thread->number);
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
// task to look at it. A task that this thread is not allowed to run now goes to the team's priority queue, in which the
// other threads search too. These threads possibly sleep, so they are woken afterwards.
struct omp_task *skerry_omp_tasks_take(struct omp_thread *self, bool (*may_take)(const struct omp_task *, void *),
                                       void *argument) {
    struct omp_team *team = self->state.team;
    struct omp_task_queues *all = queues_of(team);
    uint32_t own = skerry_omp_variants.tasks == OMP_TASKS_MRQ ? 0 : self->state.thread_number;
    bool has_moved = false;
    for (;;) {
        struct omp_task *task =
            skerry_omp_variants.tasks == OMP_TASKS_LOCKS ? pop(&all->stacks[own]) : receive(all->queues[own]);
        if (!task || may_take(task, argument)) {
            if (has_moved) skerry_omp_notify_all(team);
            return task;
        }
        skerry_omp_priority_add(team, task);
        has_moved = true;
    }
}
