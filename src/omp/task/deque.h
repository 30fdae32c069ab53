// SPDX-License-Identifier: BSD-3-Clause
// Defines the deque of a thread's tasks that are ready to run. The owner adds and takes tasks at the bottom. Thieves,
// which are other threads without tasks, take tasks at the top. The protocol is THE, from Cilk-5 (Frigo, Leiserson and
// Randall 1998). Tasks are in slots `top` to `bottom` - 1. The owner stores `bottom`. The thread that holds the lock
// stores `top`.
//
// Why no task is taken twice:
// * To take a task, the owner lowers `bottom`, executes a full fence, and then reads `top`.
// * To take tasks, a thief adds the number of wanted tasks to `top`, executes a full fence, and then reads `bottom`.
// * If both want the same task, at least one of them sees the change of the other. Without one of the two fences both
//   could take the same task.
// * An owner that sees the thief's change restores `bottom` and gets no task. The owner tries again at its next search
//   for a task.
// * A thief that sees the owner's change takes fewer tasks, and lowers `top` again.
//
// test/model/deque.pml is a model of this protocol.
#ifndef SKERRY_OMP_DEQUE_H
#define SKERRY_OMP_DEQUE_H

#include "../internal.h"

// Steal batch: the greatest number of tasks that a thief takes in one steal. On machines with SKERRY_NEAR_MEMORY the
// victim's deque is in the memory of another simulated core, and accesses to it are slow. A thief that takes many tasks
// would hold the lock of the deque for a long time. On a simulated chip of 16 cores (sarc-16), a recursion of tasks
// (fib) takes 20 % less time with 1.
#define OMP_STEAL_MAX (SKERRY_NEAR_MEMORY ? 1 : 16)
// Greatest number of tasks in a deque. The owner leaves OMP_STEAL_MAX slots free: `top` can be too high by this number
// for a moment, until a thief lowers it again. An owner that reads `top` at that moment computes more free slots than
// there are.
#define OMP_DEQUE_LIMIT (OMP_DEQUE_SLOTS - OMP_STEAL_MAX)

SKERRY_ALWAYS_INLINE struct omp_task **omp_deque_slot(struct omp_deque *deque, skerry_word number) {
    return &deque->slots[number % OMP_DEQUE_SLOTS];
}

// Returns true if the deque has fewer than `limit` tasks. Only the owner calls this function. A load of `top` is slow,
// because other threads write `top`. The function first uses seen_top, the value of its last load. It loads `top` again
// only if seen_top does not show enough free slots.
SKERRY_ALWAYS_INLINE bool omp_deque_has_room(struct omp_deque *deque, uint32_t limit) {
    skerry_word bottom = __atomic_load_n(&deque->bottom, __ATOMIC_RELAXED);
    if (bottom - deque->seen_top < limit) return true;
    deque->seen_top = __atomic_load_n(&deque->top, __ATOMIC_ACQUIRE);
    return omp_difference(bottom, deque->seen_top) < (int64_t)limit;
}

SKERRY_ALWAYS_INLINE bool omp_deque_is_empty(const struct omp_deque *deque) {
    return omp_difference(__atomic_load_n(&deque->bottom, __ATOMIC_RELAXED),
                          __atomic_load_n(&deque->top, __ATOMIC_RELAXED)) <= 0;
}

// Adds a task at the bottom. Only the owner calls the function, while the deque has fewer than OMP_DEQUE_LIMIT tasks.
SKERRY_ALWAYS_INLINE void omp_deque_add(struct omp_deque *deque, struct omp_task *task) {
    skerry_word bottom = __atomic_load_n(&deque->bottom, __ATOMIC_RELAXED);
    *omp_deque_slot(deque, bottom) = task;
    __atomic_store_n(&deque->bottom, bottom + 1, __ATOMIC_RELEASE);
}

SKERRY_ALWAYS_INLINE bool omp_deque_try_lock(struct omp_deque *deque) {
    return !__atomic_load_n(&deque->lock, __ATOMIC_RELAXED) && !__atomic_exchange_n(&deque->lock, 1, __ATOMIC_ACQUIRE);
}

SKERRY_ALWAYS_INLINE void omp_deque_unlock(struct omp_deque *deque) {
    __atomic_store_n(&deque->lock, 0, __ATOMIC_RELEASE);
}

// Takes the youngest task if its slot number is `mark` or greater. `mark` is the value of `bottom` when the current
// task began, so only descendants of the current task are taken. Only the owner calls the function. Returns NULL if
// there is no such task, or if a thief is trying to take it.
SKERRY_ALWAYS_INLINE struct omp_task *omp_deque_take(struct omp_deque *deque, skerry_word mark) {
    skerry_word bottom = __atomic_load_n(&deque->bottom, __ATOMIC_RELAXED);
    // The comparison is right while the two numbers differ by less than half of their range. With 64 bits this is
    // always so. With 32 bits, on simulated chips, it is so until thieves have stolen 2^31 tasks during the current
    // task. This takes at least some minutes.
    if (omp_difference(bottom, mark) <= 0) return NULL;
    // Looks before it stores: if thieves have taken all tasks, the owner searches again and again, and a search that changes
    // no memory lets the simulator recognise a wait that cannot end. A thief that is about to lower `top` is one that tries.
    if (SKERRY_NEAR_MEMORY && omp_difference(bottom, __atomic_load_n(&deque->top, __ATOMIC_RELAXED)) <= 0) return NULL;
    bottom--;
    __atomic_exchange_n(&deque->bottom, bottom, __ATOMIC_SEQ_CST);
    if (OMP_LIKELY(omp_difference(__atomic_load_n(&deque->top, __ATOMIC_ACQUIRE), bottom) <= 0))
        return *omp_deque_slot(deque, bottom);
    __atomic_store_n(&deque->bottom, bottom + 1, __ATOMIC_RELEASE);
    return NULL;
}

// Steals the oldest tasks and stores them into `tasks`: half of the tasks in the deque, but at most `most` tasks. Stops
// before the first task for which may_take(task, argument) is false. Returns the number of stolen tasks. While may_take
// examines a task, no other thread can take that task.
SKERRY_ALWAYS_INLINE uint32_t omp_deque_steal(struct omp_deque *deque, struct omp_task **tasks, uint32_t most,
                                              bool (*may_take)(const struct omp_task *, void *), void *argument) {
    if (omp_deque_is_empty(deque) || !omp_deque_try_lock(deque)) return 0;
    skerry_word top = __atomic_load_n(&deque->top, __ATOMIC_RELAXED);
    int64_t there = omp_difference(__atomic_load_n(&deque->bottom, __ATOMIC_RELAXED), top);
    uint32_t wanted = there > 1 ? (uint32_t)(there + 1) / 2 : 1, count = 0;
    if (wanted > most) wanted = most;
    __atomic_exchange_n(&deque->top, top + wanted, __ATOMIC_SEQ_CST);
    // Reads `bottom` again after the fence, and corrects `wanted`. From here on no other thread takes the first
    // `wanted` tasks: the owner sees the raised `top`, and other thieves need the lock.
    there = omp_difference(__atomic_load_n(&deque->bottom, __ATOMIC_ACQUIRE), top);
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
