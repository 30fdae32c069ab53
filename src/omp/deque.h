// SPDX-License-Identifier: BSD-3-Clause
// A thread's tasks that are ready to run. The owner adds and takes tasks at the bottom; thieves take at the top. The
// protocol is THE of Cilk-5 (Frigo, Leiserson, Randall 1998). Tasks are in slots top .. bottom - 1. Both numbers have
// 64 bits and never wrap: a task_mark of the owner is as old as the task that the owner runs, and 32 bits would wrap
// after an hour of tasks that others took.
//     bottom  stored by the owner
//     top     stored by the thread that holds the lock
// The owner lowers `bottom` and then reads `top`. A thief raises `top` by the number of tasks that it wants and then
// reads `bottom`. Each has a full fence between the two steps, so if both want the same task at least one sees the
// other. An owner that sees a thief gives way: it restores `bottom` and tries again as long as a task is left. A thief
// that sees the owner takes fewer tasks and lowers `top` again. So `top` may be too high for a moment. An owner that
// reads such a value sees more free slots than there are. Therefore the owner always leaves OMP_CATCH_MAX slots free.
// Nothing weaker is right: without either fence both could take the same task. Model: test/model/deque.pml.
#ifndef SKERRY_OMP_DEQUE_H
#define SKERRY_OMP_DEQUE_H

#include "internal.h"

#define OMP_CATCH_MAX 16 // steal batch: most tasks that a thief takes at once
#define OMP_DEQUE_LIMIT (OMP_DEQUE_SLOTS - OMP_CATCH_MAX)

SKERRY_ALWAYS_INLINE struct omp_task **omp_deque_slot(struct omp_deque *deque, uint64_t number) {
    return &deque->slots[number % OMP_DEQUE_SLOTS];
}

// Returns true if the owner has fewer than `limit` tasks. The owner calls it. It reads `top` only if the value from the
// last read does not suffice.
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

// Adds a task. The owner calls it, and only if a slot is free (OMP_DEQUE_LIMIT).
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

// Takes the youngest task above `mark`. The owner calls it. Returns NULL if there is none, or if a thief is trying to
// take the last ones.
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

// Steals the oldest tasks, up to the first for which may_take(task, argument) is false: half of the tasks in the deque,
// and at most `most`. Returns how many it took. may_take is called when no other thread can take the task.
SKERRY_ALWAYS_INLINE uint32_t omp_deque_steal(struct omp_deque *deque, struct omp_task **tasks, uint32_t most,
                                              bool (*may_take)(const struct omp_task *, void *), void *argument) {
    if (omp_deque_is_empty(deque) || !omp_deque_try_lock(deque)) return 0;
    uint64_t top = __atomic_load_n(&deque->top, __ATOMIC_RELAXED);
    int64_t there = (int64_t)(__atomic_load_n(&deque->bottom, __ATOMIC_RELAXED) - top);
    uint32_t wanted = there > 1 ? (uint32_t)(there + 1) / 2 : 1, count = 0;
    if (wanted > most) wanted = most;
    __atomic_exchange_n(&deque->top, top + wanted, __ATOMIC_SEQ_CST);
    // No other thread takes the first `wanted` tasks from here on.
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
