// SPDX-License-Identifier: BSD-3-Clause
// Defines the lock of the lock routines on machines on which a thread polls fast only in its own memory
// (SKERRY_NEAR_MEMORY). lock.c includes this file. The lock has two words:
//     word  1 if a thread holds the lock, otherwise 0. A thread that finds it free takes it by one atomic operation, so a
//           lock without contention costs one round trip, and a release is one store.
//     last  the address of the last node of the queue of threads that wait, as in near_lock.h. 0: no thread has waited yet.
// A thread that does not get the lock enters the queue. If it is the first one in the queue, it polls `word`.
// Its node stays in the queue while it holds the lock. If a thread is behind it when it releases the lock, it stores 0 to this
// thread's word `waits` instead of `word`: this thread then holds the lock. So threads that compete hand over the lock by one
// store each, and `word` stays 1.
//
// A program can release a lock in another thread than the one that took it, though OpenMP does not allow it. This thread has
// no node of the lock, so it stores 0 to `word`. For this case a thread in the queue also looks at `word` from time to time. If
// it can take the lock there, the node before its own one is out of use, and it tells this to the owner of that node (NODE_GONE).
// If this owner meanwhile holds the lock again, without a node, it hands it over to the thread behind that node, which is right.
//
// test/model/near_mutex.pml is a model of this protocol.
#ifndef SKERRY_OMP_NEAR_MUTEX_H
#define SKERRY_OMP_NEAR_MUTEX_H

#include "near_lock.h"

#if SKERRY_NEAR_MEMORY

struct near_mutex {
    uint32_t word, last;
};

enum { NODE_GONE = 3 }; // state of a node: the thread behind it has left the queue

// Polls of a waiting thread's own memory between two looks at `word`, which is some 1000 cycles.
#define NEAR_MUTEX_POLLS 200

SKERRY_ALWAYS_INLINE void near_mutex_init(struct near_mutex *mutex) {
    *mutex = (struct near_mutex){0, 0};
}

// Frees the node that is possibly left in the queue of a lock that is not held.
SKERRY_ALWAYS_INLINE void near_mutex_destroy(struct near_mutex *mutex) {
    struct near_node *const node = (struct near_node *)mutex->last;
    mutex->last = 0;
    if (node && __atomic_load_n(&node->state, __ATOMIC_RELAXED) == NODE_FREE)
        __atomic_store_n(&node->state, NODE_GONE, __ATOMIC_RELAXED);
}

SKERRY_ALWAYS_INLINE bool near_mutex_try(struct near_mutex *mutex) {
    return !(__atomic_fetch_or(&mutex->word, 1, __ATOMIC_ACQUIRE) & 1);
}

// Tries to take the lock if it looks free.
SKERRY_ALWAYS_INLINE bool look(struct near_mutex *mutex) {
    return !__atomic_load_n(&mutex->word, __ATOMIC_RELAXED) && near_mutex_try(mutex);
}

// Returns true if the thread has been given the lock, false if it must look at `word`.
SKERRY_ALWAYS_INLINE bool await_grant(const struct near_node *node) {
    for (uint32_t polls = 0; polls < NEAR_MUTEX_POLLS; polls++)
        if (!__atomic_load_n(&node->waits, __ATOMIC_ACQUIRE)) return true;
    return false;
}

// Takes a lock that another thread holds.
static __attribute__((noinline)) void near_mutex_wait(struct near_mutex *mutex) {
    struct near_node *node = near_nodes.spare;
    if (OMP_LIKELY(node != NULL)) near_nodes.spare = node->next;
    else node = find_node();
    node->lock = mutex;
    __atomic_store_n(&node->state, NODE_HELD, __ATOMIC_RELAXED);
    __atomic_store_n(&node->waits, 1, __ATOMIC_RELAXED);
    struct near_node *before = (struct near_node *)__atomic_exchange_n(&mutex->last, (uint32_t)node, __ATOMIC_ACQ_REL);
    node->next = near_nodes.held;
    near_nodes.held = node;
    if (before && __atomic_exchange_n(&before->state, (uint32_t)node, __ATOMIC_ACQ_REL) == NODE_HELD) {
        while (!await_grant(node)) {
            if (!look(mutex)) continue;
            __atomic_store_n(&before->state, NODE_GONE, __ATOMIC_RELAXED);
            return;
        }
        return;
    }
    while (!look(mutex)) {
    }
}

SKERRY_ALWAYS_INLINE void near_mutex_take(struct near_mutex *mutex) {
    if (OMP_UNLIKELY(!near_mutex_try(mutex))) near_mutex_wait(mutex);
}

// Releases the lock of the node at `*place`, a list's pointer. The caller has completed its stores.
SKERRY_ALWAYS_INLINE void give_with_node(struct near_mutex *mutex, struct near_node **place) {
    struct near_node *const node = *place;
    const uint32_t behind = __atomic_exchange_n(&node->state, NODE_FREE, __ATOMIC_RELAXED);
    struct near_node **list = &near_nodes.spare;
    if (OMP_LIKELY(behind != NODE_HELD && behind != NODE_GONE)) {
        __atomic_store_n(&((struct near_node *)behind)->waits, 0, __ATOMIC_RELAXED);
    } else {
        __atomic_store_n(&mutex->word, 0, __ATOMIC_RELAXED);
        if (behind == NODE_HELD) list = &near_nodes.released;
    }
    *place = node->next;
    node->next = *list;
    *list = node;
}

// Does what near_mutex_give does if the thread's last node is of another lock. If the thread has several nodes of the lock, it
// uses the last one. The others are out of use, or threads are behind them that look at `word`.
static SKERRY_COLD void search_and_give(struct near_mutex *mutex) {
    for (struct near_node **place = &near_nodes.held; *place; place = &(*place)->next)
        if ((*place)->lock == mutex) return give_with_node(mutex, place);
    __atomic_store_n(&mutex->word, 0, __ATOMIC_RELAXED);
}

SKERRY_ALWAYS_INLINE void near_mutex_give(struct near_mutex *mutex) {
    struct near_node *const node = near_nodes.held;
    skerry_complete_stores();
    if (OMP_LIKELY(!node)) __atomic_store_n(&mutex->word, 0, __ATOMIC_RELAXED);
    else if (OMP_LIKELY(node->lock == mutex)) give_with_node(mutex, &near_nodes.held);
    else search_and_give(mutex);
}

#endif

#endif
