// SPDX-License-Identifier: BSD-3-Clause
// Tasks. A thread gives a task to another thread by a store into that thread's slot for it, and a waiting thread runs the
// tasks in its own slots. A task that finds no free slot runs at once, and so does a task with more than TASK_BYTES of
// data, with a copy function, with dependences (which are then kept by the order) or in a final task.
//
// Words, and who writes them. The giver is the thread that makes a task, the taker the thread that runs it.
// * skerry_omp_slots[g] of a core: written by thread g only, except `taken`. A thread that sets `taken` from 0 by test-and-set has the
//   task. That is the taker, or the giver, which takes its task back if it waits for it.
// * offered[g] of a core: 1 says that this slot possibly has a task. Set by thread g after `taken`, cleared by the core's
//   thread before it tries to take the task. So no task is overlooked. If the giver has taken the task back, the taker
//   finds `taken` set.
// * slot_is_used[t] of a core: the slot of this thread at thread t has a task that nobody has taken. Set by this thread;
//   cleared by thread t after it has copied the task.
// * ended[e] of a core: task e of this thread has ended. Set by the taker, cleared by this thread.
//
// A task ends only when its children have ended. So the description of a task can lie on the stack of its thread, a
// taskgroup ends when the children that were made in it have ended, and after a barrier's first round no task is left. No
// two threads wait for each other: a thread that waits for a child which nobody runs takes it back.
// The model of this protocol is test/model/task_slot.pml.
#include "small.h"

#define TASK_BYTES 32 // of data that are passed with a task
#define GIVEN_MAX 32  // tasks of a thread that other threads have, and have not ended
#define STACK_FOR_TASK                                                                                                 \
    2048 // bytes that must be free on the stack of a thread that runs a task while it waits in a task

struct slot {
    omp_function *function;
    volatile uint8_t *ended; // the giver's byte
    uint32_t cores;
    uint32_t unused;
    uint64_t data[TASK_BYTES / 8];
    volatile uint32_t taken; // 0: the slot has a task
};

_Static_assert(sizeof(struct slot) == 56, "the linker script reserves as much for each core of the chip");
extern struct slot skerry_omp_slots[];
static volatile uint8_t offered[OMP_THREADS_MAX] __attribute__((aligned(8)));
static volatile uint8_t slot_is_used[OMP_THREADS_MAX] __attribute__((aligned(8)));
static volatile uint8_t ended[GIVEN_MAX] __attribute__((aligned(8)));
static volatile uint32_t echo[OMP_THREADS_MAX]; // echo[t]: the last number of thread t (complete_stores)
struct omp_tasks skerry_omp_tasks;

// A task of this thread that another thread has, and that has not ended.
static struct given {
    struct omp_task *parent;
    uint32_t groups; // number of taskgroups of the parent in which the task was made
} given[GIVEN_MAX];
static uint8_t free_places[GIVEN_MAX]; // those of `given` that are free, the first free_count elements
static uint32_t free_count;
static uint32_t is_given;                      // bit e: given[e] is a task that has not ended
static uint8_t given_by_slot[OMP_THREADS_MAX]; // the task in this thread's slot at thread t
static uint32_t next_taker;

static struct omp_task *current(void) {
    return skerry_omp_self.task ? skerry_omp_self.task : &skerry_omp_tasks.implicit;
}

static uint32_t bit_of(uint32_t core) {
    return UINT32_C(1) << (core % 32);
}

// Returns the set without the core. With more than 32 cores a bit stands for several, so it stays.
static uint32_t without(uint32_t cores, uint32_t core) {
    return skerry_pe_count() > 32 ? cores : cores & ~bit_of(core);
}

// Returns when this core's stores to the cores in the set have arrived. Stores a number to each of them, and loads it until
// it is there. The number arrives after all earlier stores.
static __attribute__((noinline)) void complete_at(uint32_t cores) {
    static uint32_t number;
    const uint32_t me = (uint32_t)skerry_my_pe(), count = (uint32_t)skerry_pe_count();
    number++;
    for (uint32_t core = 0; core < count; core++)
        if (cores & bit_of(core)) *(volatile uint32_t *)skerry_global(&echo[me], (int)core) = number;
    for (uint32_t core = 0; core < count; core++) {
        if (!(cores & bit_of(core))) continue;
        const volatile uint32_t *there = skerry_global(&echo[me], (int)core);
        while (*there != number) continue;
    }
    skerry_compiler_fence();
}

static void complete_stores(uint32_t cores) {
    skerry_omp_complete_external();
    skerry_compiler_fence();
    if (cores != 0) complete_at(cores);
}

// Runs a task in this thread. The task ends when its children have ended.
static void await_children(struct omp_task *task, uint32_t groups);
static void run(omp_function *function, void *data, uint32_t cores, bool is_final) {
    struct omp_self *self = &skerry_omp_self;
    struct omp_task task = {.cores = cores};
    struct omp_task *const outer = self->task;
    const bool outer_is_final = self->is_final;
    self->task = &task;
    self->is_final = is_final;
    function(data);
    await_children(&task, 0);
    self->task = outer;
    self->is_final = outer_is_final;
}

static void copy_words(uint64_t *dest, const uint64_t *source, size_t bytes) {
    for (size_t i = 0; i < (bytes + 7) / 8; i++) dest[i] = source[i];
}

// -- Tasks of other threads --------------------------------------------------------------------------------------------

// Takes the task of thread `giver` in this thread's slot, and runs it. Returns false if there is none.
static __attribute__((noinline)) bool run_slot(uint32_t giver) {
    struct slot *slot = &skerry_omp_slots[giver];
    offered[giver] = 0;
    skerry_compiler_fence();
    if (skerry_test_and_set(&slot->taken) != 0) return false;
    skerry_omp_tasks.has_told = true;
    uint64_t data[TASK_BYTES / 8];
    copy_words(data, slot->data, sizeof data);
    omp_function *const function = slot->function;
    volatile uint8_t *const report = slot->ended;
    const uint32_t cores = slot->cores;
    skerry_compiler_fence();
    *(volatile uint8_t *)skerry_global(&slot_is_used[skerry_my_pe()], (int)giver) = 0;
    run(function, data, cores, false);
    complete_stores(
        without(without(cores, giver), (uint32_t)skerry_my_pe())); // the report follows the stores to the giver
    skerry_compiler_fence();
    *report = 1;
    return true;
}

// Runs a task of another thread, if this thread's slots have one.
bool skerry_omp_run_any(void) {
    const uint32_t threads = skerry_omp_self.threads;
    for (uint32_t i = 0; i < threads; i += 8) {
        if (*(volatile uint64_t *)(volatile void *)&offered[i] == 0) continue;
        for (uint32_t giver = i; giver < i + 8; giver++)
            if (offered[giver] && run_slot(giver)) return true;
    }
    return false;
}

// -- Tasks of this thread ----------------------------------------------------------------------------------------------

// Notes which tasks of this thread have ended.
static void collect(void) {
    for (uint32_t i = 0; i < GIVEN_MAX; i += 8) {
        if (*(volatile uint64_t *)(volatile void *)&ended[i] == 0) continue;
        for (uint32_t e = i; e < i + 8; e++) {
            if (!ended[e]) continue;
            ended[e] = 0;
            given[e].parent->children--;
            is_given &= ~(UINT32_C(1) << e);
            free_places[free_count++] = (uint8_t)e;
        }
    }
    skerry_compiler_fence();
}

// Returns true if task e has not ended, is a child of `parent`, and was made in at least `groups` taskgroups of the parent.
static bool is_awaited(uint32_t e, const struct omp_task *parent, uint32_t groups) {
    return (is_given >> e & 1) && given[e].parent == parent && given[e].groups >= groups;
}

// Takes back an awaited task that is still in another thread's slot, and runs it. Returns false if there is none.
static bool take_back(struct omp_task *parent, uint32_t groups) {
    const uint32_t me = (uint32_t)skerry_my_pe();
    for (uint32_t t = 0; t < skerry_omp_self.threads; t++) {
        const bool has_task = t != me && slot_is_used[t]; // the thread's own slot counts as used, but never has a task
        if (!has_task || !is_awaited(given_by_slot[t], parent, groups)) continue;
        struct slot *slot = skerry_global(&skerry_omp_slots[me], (int)t);
        if (skerry_test_and_set(&slot->taken) != 0) continue; // thread t has just taken it
        uint64_t data[TASK_BYTES / 8];
        copy_words(data, slot->data, sizeof data);
        omp_function *const function = slot->function;
        const uint32_t cores = slot->cores;
        slot_is_used[t] = 0;
        is_given &= ~(UINT32_C(1) << given_by_slot[t]);
        free_places[free_count++] = given_by_slot[t];
        parent->children--;
        run(function, data, cores, false);
        return true;
    }
    return false;
}

// Returns when the children of the task that were made in at least `groups` taskgroups have ended.
static void await_children(struct omp_task *task, uint32_t groups) {
    while (task->children != 0) {
        collect();
        uint32_t e = 0;
        while (e < GIVEN_MAX && !is_awaited(e, task, groups)) e++;
        if (e == GIVEN_MAX) return;
        if (take_back(task, groups)) continue;
        if (task == &skerry_omp_tasks.implicit || skerry_stack_left() >= STACK_FOR_TASK) skerry_omp_run_any();
    }
}

// Tells all threads of the region that there are tasks.
static void tell(void) {
    for (uint32_t t = 0; t < skerry_omp_self.threads; t++)
        *(volatile uint8_t *)skerry_global(&skerry_omp_tasks.were_made, (int)t) = 1;
}

// Prepares the thread for the first task that it gives to another thread after a barrier. All its tasks have ended. Slots
// that it cannot use count as used.
static __attribute__((noinline)) void begin_giving(void) {
    const uint32_t me = (uint32_t)skerry_my_pe();
    for (uint32_t t = 0; t < OMP_THREADS_MAX; t++) slot_is_used[t] = t == me || t >= skerry_omp_self.threads;
    for (uint32_t e = 0; e < GIVEN_MAX; e++) free_places[e] = (uint8_t)e;
    free_count = GIVEN_MAX;
    if (!skerry_omp_tasks.has_told) tell();
    skerry_omp_tasks.has_told = true;
    skerry_omp_tasks.may_give = true;
}

// Returns a thread whose slot for this thread is free, or -1.
static int find_taker(void) {
    const uint32_t threads = skerry_omp_self.threads;
    bool is_full = true;
    for (uint32_t i = 0; i < threads; i += 8)
        is_full &= *(volatile uint64_t *)(volatile void *)&slot_is_used[i] == UINT64_C(0x0101010101010101);
    if (is_full) return -1;
    for (;;) { // a slot that is free stays free
        const uint32_t t = next_taker;
        next_taker = t + 1 < threads ? t + 1 : 0;
        if (t < threads && !slot_is_used[t]) return (int)t;
    }
}

// Gives the task to another thread. Returns false if that is not possible.
static bool give(struct omp_task *parent, omp_function *function, const void *data, size_t bytes) {
    if (!skerry_omp_tasks.may_give) begin_giving();
    if (free_count == 0) collect();
    const int taker = free_count == 0 ? -1 : find_taker();
    if (taker < 0) return false;
    const int me = skerry_my_pe();
    const uint32_t own = bit_of((uint32_t)me), cores = parent->cores | 1;
    complete_stores(without(cores, (uint32_t)me)); // the task may read what this thread has stored there
    const uint32_t place = free_places[--free_count];
    is_given |= UINT32_C(1) << place;
    given[place].parent = parent;
    given[place].groups = parent->groups;
    given_by_slot[taker] = (uint8_t)place;
    slot_is_used[taker] = 1;
    parent->children++;
    struct slot *slot = skerry_global(&skerry_omp_slots[me], taker);
    slot->function = function;
    slot->ended = skerry_global(&ended[place], me);
    slot->cores = cores | own;
    const uint64_t *words = data;
    volatile uint64_t *to = slot->data;
    for (size_t i = 0; i < (bytes + 7) / 8; i++) to[i] = words[i];
    skerry_compiler_fence();
    slot->taken = 0;
    *(volatile uint8_t *)skerry_global(&offered[me], taker) = 1;
    return true;
}

enum { FLAG_FINAL = 2, FLAG_DEPEND = 8, FLAG_DETACH = 8192 };

void GOMP_task(omp_function *function, void *data, void (*copy)(void *, void *), long bytes, long alignment,
               bool may_defer, unsigned flags, void **depends, int priority, void *detach);
void GOMP_task(omp_function *function, void *data, void (*copy)(void *, void *), long bytes, long alignment,
               bool may_defer, unsigned flags, void **depends, int priority, void *detach) {
    (void)depends;
    (void)priority;
    (void)detach;
    struct omp_self *self = &skerry_omp_self;
    struct omp_task *parent = current();
    if (flags & FLAG_DETACH) skerry_stop("#pragma omp task detach(...) is not supported on this machine (GOMP_task)");
    const bool is_final = self->is_final || (flags & FLAG_FINAL);
    const bool may_give = may_defer && !is_final && !copy && bytes <= TASK_BYTES && alignment <= 8 &&
                          !(flags & FLAG_DEPEND) && self->threads > 1;
    if (may_give && ((uintptr_t)data & 7) == 0 && give(parent, function, data, (size_t)bytes)) return;
    if (!copy) {
        run(function, data, parent->cores, is_final);
        return;
    }
    char room[bytes + alignment - 1];
    char *const at = (char *)(((uintptr_t)room + (uintptr_t)alignment - 1) & ~((uintptr_t)alignment - 1));
    copy(at, data);
    run(function, at, parent->cores, is_final);
}

void GOMP_taskwait(void);
void GOMP_taskwait(void) {
    await_children(current(), 0);
}

void GOMP_taskwait_depend(void **depends);
void GOMP_taskwait_depend(void **depends) {
    (void)depends; // tasks with dependences have run at once
}

void GOMP_taskyield(void);
void GOMP_taskyield(void) {
    if (skerry_omp_self.threads > 1 && skerry_stack_left() >= STACK_FOR_TASK) skerry_omp_run_any();
}

void GOMP_taskgroup_start(void);
void GOMP_taskgroup_start(void) {
    current()->groups++;
}

void GOMP_taskgroup_end(void);
void GOMP_taskgroup_end(void) {
    struct omp_task *task = current();
    await_children(task, task->groups);
    task->groups--;
}

void skerry_omp_end_tasks(void) {
    await_children(&skerry_omp_tasks.implicit, 0);
}

void skerry_omp_meet_with_tasks_external(void) {
    skerry_complete_external();
    skerry_omp_meet_with_tasks();
}
