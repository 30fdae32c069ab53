// SPDX-License-Identifier: BSD-3-Clause
// A thread's tasks that are ready to run. The owner adds and takes at the bottom, others take at the top: the protocol of Cilk-5's THE
// (Frigo, Leiserson, Randall 1998). Tasks stand in slots top .. bottom - 1, both counted without end: in 64 bits, because a mark of the
// owner's is as old as the task that it runs, and an hour of tasks that others took would wrap 32.
//     bottom  the owner stores it
//     top     who holds the lock stores it
// The owner lowers bottom before it looks at top, a thief raises top, by as many as it wants, before it looks at bottom, each with a full
// fence between: so of two who want the same task at least one sees the other. An owner that sees a thief gives way and puts
// bottom back; it looks again as long as a task is left. A thief that sees the owner takes fewer, and puts top back. A thief's top may
// so be too high for a moment: the owner, which adds by a top that it has seen, leaves OMP_CATCH_MAX slots free for that. Nothing weaker:
// without either fence both would take the task. Model: test/model/deque.pml.
#ifndef SKERRY_OMP_DEQUE_H
#define SKERRY_OMP_DEQUE_H

#include "internal.h"

#define OMP_CATCH_MAX 16 // tasks that a thief takes at once
#define OMP_DEQUE_LIMIT (OMP_DEQUE_SLOTS - OMP_CATCH_MAX)

SKERRY_ALWAYS_INLINE struct omp_task **omp_deque_slot(struct omp_deque *deque, uint64_t number) {
    return &deque->slots[number % OMP_DEQUE_SLOTS];
}

// How many tasks the owner has at least, by what it has seen; and whether another one fits under a limit, by looking again.
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

// Owner; there must be room.
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

// Owner: the youngest task above `mark`; NULL: none, or a thief is just trying to take the last ones.
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

// A thief: the oldest tasks that may_take(task, argument) holds for, which is asked when nobody else can take them; half of what is there,
// `most` at most. How many.
SKERRY_ALWAYS_INLINE uint32_t omp_deque_steal(struct omp_deque *deque, struct omp_task **tasks, uint32_t most,
                                              bool (*may_take)(const struct omp_task *, void *), void *argument) {
    if (omp_deque_is_empty(deque) || !omp_deque_try_lock(deque)) return 0;
    uint64_t top = __atomic_load_n(&deque->top, __ATOMIC_RELAXED);
    int64_t there = (int64_t)(__atomic_load_n(&deque->bottom, __ATOMIC_RELAXED) - top);
    uint32_t wanted = there > 1 ? (uint32_t)(there + 1) / 2 : 1, count = 0;
    if (wanted > most) wanted = most;
    __atomic_exchange_n(&deque->top, top + wanted, __ATOMIC_SEQ_CST);
    there = (int64_t)(__atomic_load_n(&deque->bottom, __ATOMIC_ACQUIRE) -
                      top); // of these nobody else takes the first `wanted`
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
