// SPDX-License-Identifier: BSD-3-Clause
// Defines tasks that go through a queue in hardware (contract/events.h). Such a queue takes a task from its maker in some
// 20 cycles (Tendulkar et al. 2011). Each team has at most one queue, near its master. In each region one thread, the
// maker, puts tasks into it, and only children of its implicit task: an OpenMP program usually makes most of its tasks
// there. The maker is the first thread that makes such a task (become_maker). Tasks that other threads and explicit tasks
// make are transferred (near_transfer.h) or use deques (deque.h). An item of the queue is the whole task: function, group,
// and up to OMP_ITEM_DATA_WORDS words of data. The thread that gets the item has a struct omp_task for it, so the maker
// allocates nothing.
//
// Who gets an item. A thread that may run any task of the region (at a barrier or after the region) requests an item.
// The maker also requests items while its implicit task waits for its children: all items are children of this task, so
// OpenMP allows the maker to run them. The answer arrives in the thread's struct omp_item. A request cannot be
// withdrawn, so an answer can arrive when the thread is busy again. A thread that runs one task after another also
// requests the next item before it runs a task, so that it does not wait for the answer (run_items). The thread then runs
// the task of the item later. Nobody waits for that: a thread that is allowed to run items and has no answer takes items
// that have arrived for other threads. So a task never waits for a thread that runs another task, as long as a thread
// has nothing else to do.
//
// States of a struct omp_item. A thread changes the state FULL by compare-swap, because several can take the item:
//     IDLE     no request                   -> ASKED by the thread
//     ASKED    a request is under way       -> FULL by the hardware, together with the other words
//     FULL     a task has arrived           -> IDLE by the thread, or CLAIMED by another thread
//     CLAIMED  that thread copies the item  -> IDLE by that thread
// The thread copies the item before it makes the next request, so no answer can change words that are being copied.
//
// Counting. The counter `unfinished`, in hardware near the master, is the number of tasks that the maker has put into
// the queue and that have not ended, minus the limit of this number. The thread that has run a task subtracts 1 by a
// store, after a fence. So a maker that finds minus the limit sees what these tasks have stored. The maker's implicit
// task does not count these tasks among its children. The queue has a place for each of them, or for a request of
// each thread, so it is never full.
//
// The maker adds to the counter in advance: it adds the number of tasks that are missing to the limit, and may then put
// that many tasks into the queue without a look at the counter (skerry_omp_queue_places). If no place is left and the
// counter is 0, the maker runs its next task itself. Before the maker waits for tasks, it subtracts the places that it
// has not used (omp_close_queue).
//
// Order. Before the maker sends an item, it waits until its stores have arrived. It does not wait for its earlier
// items (skerry_event_complete_stores).
//
// test/model/near_queue.pml is a model of this protocol.
#ifndef SKERRY_OMP_NEAR_QUEUE_H
#define SKERRY_OMP_NEAR_QUEUE_H

#include "group.h"

#if SKERRY_EVENTS

enum omp_item_state { OMP_ITEM_IDLE, OMP_ITEM_FULL, OMP_ITEM_ASKED, OMP_ITEM_CLAIMED };

_Static_assert(sizeof(struct omp_item) == SKERRY_EVENT_WORDS * sizeof(uint32_t), "an item fills a message");

// Index of a field among the words of an item that is to be sent.
#define OMP_ITEM_WORD(field) (offsetof(struct omp_item, field) / sizeof(uint32_t))

// The largest number of unfinished tasks of a queue. It is greater than the number of threads, so that each thread can
// run one, and is also the number of the queue's places: a queue has either tasks or requests.
#define OMP_QUEUE_LIMIT(threads) ((threads) <= 32 ? 64u : 96u)

// The maker puts further tasks into the queue only if this number of places is free. Otherwise it runs a task itself.
// So it looks at the counter once for several tasks.
#define OMP_QUEUE_REFILL 24u

// Returns true if all tasks that were put into the queue have ended.
SKERRY_ALWAYS_INLINE bool omp_queue_is_done(const struct skerry_event_counter *unfinished, uint32_t threads) {
    return skerry_event_counter_value(unfinished) + OMP_QUEUE_LIMIT(threads) == 0;
}

// Returns the report that stands for the tasks in the queue (near_transfer.h). It is in the maker's memory.
SKERRY_ALWAYS_INLINE struct omp_report *omp_maker_report(const struct omp_near *near) {
    struct omp_member *maker =
        (struct omp_member *)(void *)((char *)near->maker - offsetof(struct omp_member, implicit));
    return &maker->near.reports[OMP_TRANSFERS];
}

// Returns true if the thread's kept task is a child of this task (near_kept.h). Another thread is possibly about to take it.
SKERRY_ALWAYS_INLINE bool omp_has_kept(const struct omp_near *near, const struct omp_task *task) {
    return near->kept.state - OMP_KEPT_PRIVATE <= OMP_KEPT_FULL - OMP_KEPT_PRIVATE && near->kept.parent == task;
}

// Sends a task to the queue. The item's other words must have been stored before.
SKERRY_ALWAYS_INLINE void omp_queue_send(omp_function *function) {
    skerry_event_item()[OMP_ITEM_WORD(function)] = (uint32_t)(uintptr_t)function;
    skerry_event_complete_stores();
    skerry_event_enqueue();
}

// Copies the data of an item. For an assignment of the struct GCC calls memcpy, which takes 80 cycles.
SKERRY_ALWAYS_INLINE void omp_copy_item_data(struct omp_item_data *to, const struct omp_item_data *from) {
    _Static_assert(OMP_ITEM_DATA_WORDS == 5, "one statement for each word");
    const uint32_t a = from->words[0], b = from->words[1], c = from->words[2], d = from->words[3], e = from->words[4];
    to->words[0] = a;
    to->words[1] = b;
    to->words[2] = c;
    to->words[3] = d;
    to->words[4] = e;
}

// Copies the data of a task into the item. Returns false if they do not fit.
SKERRY_ALWAYS_INLINE bool omp_queue_copy(const void *data, unsigned long bytes, unsigned long alignment) {
    if (bytes > sizeof(uint32_t) * OMP_ITEM_DATA_WORDS || alignment > 8 || ((uintptr_t)data | bytes) % sizeof(uint32_t))
        return false;
    volatile uint32_t *to = &skerry_event_item()[OMP_ITEM_WORD(data)];
    const uint32_t *from = (const uint32_t *)data;
    for (unsigned long left = bytes; left; left -= sizeof(uint32_t)) *to++ = *from++;
    return true;
}

// Takes the item that has arrived for a thread, and leaves it in the state `left`. Returns false if there is none, or if
// another thread takes it.
SKERRY_ALWAYS_INLINE bool omp_item_take(struct omp_item *item, uint32_t left) {
    uint32_t state = __atomic_load_n(&item->state, __ATOMIC_ACQUIRE);
    return state == OMP_ITEM_FULL &&
           __atomic_compare_exchange_n(&item->state, &state, left, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

// Requests an item for the calling thread if no request is under way.
SKERRY_ALWAYS_INLINE void omp_item_request(struct omp_near *near) {
    if (__atomic_load_n(&near->item.state, __ATOMIC_RELAXED) != OMP_ITEM_IDLE) return;
    skerry_compiler_fence(); // the thread has copied its item
    __atomic_store_n(&near->item.state, OMP_ITEM_ASKED, __ATOMIC_RELAXED);
    skerry_event_request(near->queue, (uint32_t *)(void *)&near->item);
}

#endif

#endif
