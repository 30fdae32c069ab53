// SPDX-License-Identifier: BSD-3-Clause
// The deque of a thread's tasks that are ready to run. The owner adds and takes tasks at the bottom. Thieves, which are
// other threads without tasks, take at the top. The protocol is THE of Cilk-5 (Frigo, Leiserson, Randall 1998). Tasks
// are in slots `top` to `bottom` - 1. Both numbers have 64 bits and never wrap. The owner compares `bottom` with a
// task_mark, an old value of `bottom` that is kept for as long as a task runs; with 32 bits the numbers would wrap
// within an hour in which other threads steal the owner's tasks.
//     bottom  stored by the owner
//     top     stored by the thread that holds the lock
// To take a task, the owner lowers `bottom` and then reads `top`. To take tasks, a thief raises `top` by the number of
// tasks that it wants and then reads `bottom`. Both have a full fence between the two steps, so if both want the same
// task, at least one of them sees the other. An owner that sees a thief gives way: it restores `bottom`, and tries
// again as long as a task is left. A thief that sees the owner takes fewer tasks and lowers `top` again. So `top` may
// be too high for a moment. An owner that reads such a value sees more free slots than there are. Therefore the owner
// always leaves OMP_STEAL_MAX slots free. No weaker ordering is right: without either fence both could take the same
// task. Model: test/model/deque.pml.
#ifndef SKERRY_OMP_DEQUE_H
#define SKERRY_OMP_DEQUE_H

#include "internal.h"

#define OMP_STEAL_MAX 16 // steal batch: greatest number of tasks that a thief takes in one steal
#define OMP_DEQUE_LIMIT (OMP_DEQUE_SLOTS - OMP_STEAL_MAX)

SKERRY_ALWAYS_INLINE struct omp_task **omp_deque_slot(struct omp_deque *deque, uint64_t number) {
    return &deque->slots[number % OMP_DEQUE_SLOTS];
}

// Returns true if the deque has fewer than `limit` tasks. Only the owner calls it. It reads `top`, which other threads
// write, only if the value from its last read does not show enough free slots.
SKERRY_ALWAYS_INLINE bool omp_deque_has_room(struct omp_deque *deque, uint32_t limit) {
    uint64_t bottom = __atomic_load_n(&deque->bottom, __ATOMIC_RELAXED);
    if (bottom - deque->seen_top < limit) return true;
    deque->seen_top = __atomic_load_n(&deque->top, __ATOMIC_ACQUIRE);
    return (int64_t)(bottom - deque->seen_top) < (int64_t)limit;
}

SKERRY_ALWAYS_INLINE bool omp_deque_is_empty(const struct omp_deque *deque) {
    return (int64_t)(__atomic_load_n(&deque->bottom, __ATOMIC_RELAXED) -
                     __atomic_load_n(&deque->top, __ATOMIC_RELAXED)) <= 0;
}

// Adds a task at the bottom. Only the owner calls it, and only if a slot is free (OMP_DEQUE_LIMIT).
SKERRY_ALWAYS_INLINE void omp_deque_add(struct omp_deque *deque, struct omp_task *task) {
    uint64_t bottom = __atomic_load_n(&deque->bottom, __ATOMIC_RELAXED);
    *omp_deque_slot(deque, bottom) = task;
    __atomic_store_n(&deque->bottom, bottom + 1, __ATOMIC_RELEASE);
}

SKERRY_ALWAYS_INLINE bool omp_deque_try_lock(struct omp_deque *deque) {
    return !__atomic_load_n(&deque->lock, __ATOMIC_RELAXED) && !__atomic_exchange_n(&deque->lock, 1, __ATOMIC_ACQUIRE);
}

SKERRY_ALWAYS_INLINE void omp_deque_unlock(struct omp_deque *deque) {
    __atomic_store_n(&deque->lock, 0, __ATOMIC_RELEASE);
}

// Takes the youngest task, if its slot number is `mark` or greater. Only the owner calls it. Returns NULL if there is
// no such task, or if a thief is trying to take it.
SKERRY_ALWAYS_INLINE struct omp_task *omp_deque_take(struct omp_deque *deque, uint64_t mark) {
    uint64_t bottom = __atomic_load_n(&deque->bottom, __ATOMIC_RELAXED);
    if ((int64_t)(bottom - mark) <= 0) return NULL;
    bottom--;
    __atomic_exchange_n(&deque->bottom, bottom, __ATOMIC_SEQ_CST);
    if (OMP_LIKELY((int64_t)(__atomic_load_n(&deque->top, __ATOMIC_ACQUIRE) - bottom) <= 0))
        return *omp_deque_slot(deque, bottom);
    __atomic_store_n(&deque->bottom, bottom + 1, __ATOMIC_RELEASE);
    return NULL;
}

// Steals the oldest tasks and stores them into `tasks`: half of the tasks in the deque, but at most `most`, and none
// from the first task on for which may_take(task, argument) is false. Returns the number of stolen tasks. When may_take
// is called, no other thread can take the task.
SKERRY_ALWAYS_INLINE uint32_t omp_deque_steal(struct omp_deque *deque, struct omp_task **tasks, uint32_t most,
                                              bool (*may_take)(const struct omp_task *, void *), void *argument) {
    if (omp_deque_is_empty(deque) || !omp_deque_try_lock(deque)) return 0;
    uint64_t top = __atomic_load_n(&deque->top, __ATOMIC_RELAXED);
    int64_t there = (int64_t)(__atomic_load_n(&deque->bottom, __ATOMIC_RELAXED) - top);
    uint32_t wanted = there > 1 ? (uint32_t)(there + 1) / 2 : 1, count = 0;
    if (wanted > most) wanted = most;
    __atomic_exchange_n(&deque->top, top + wanted, __ATOMIC_SEQ_CST);
    // From here on no other thread takes the first `wanted` tasks.
    there = (int64_t)(__atomic_load_n(&deque->bottom, __ATOMIC_ACQUIRE) - top);
    if (there < (int64_t)wanted) wanted = there > 0 ? (uint32_t)there : 0;
    while (count < wanted && may_take(*omp_deque_slot(deque, top + count), argument)) {
        tasks[count] = *omp_deque_slot(deque, top + count);
        count++;
    }
    __atomic_store_n(&deque->top, top + count, __ATOMIC_RELEASE);
    omp_deque_unlock(deque);
    return count;
}

#endif
