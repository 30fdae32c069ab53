// SPDX-License-Identifier: BSD-3-Clause
// Defines the lock of critical sections on machines on which a thread polls fast only in its own memory
// (SKERRY_NEAR_MEMORY). Threads that want the lock are in a queue, and each of them waits for a word in its own memory,
// as in the locks of Mellor-Crummey and Scott (1991). critical.c and, for its nodes, near_mutex.h include this file.
//
// Each thread in the queue has a node in its own memory. The lock's word is the address of the last node, or 0 if no
// thread has ever taken the lock. The order of the queue is the order in which the threads exchange this word. A thread
// gets the address of the node before its own node, and then exchanges this node's `state`:
//     HELD           its thread holds the lock, or waits for it, and no thread is behind it
//     FREE           its thread has released the lock
//     other values   address of the node behind it
// The holder also releases the lock by an exchange of its node's `state`. So there are two exchanges of each state, one
// of the holder and one of the thread behind, and one of them is the first one:
// * The holder's is the first one. The thread behind gets FREE, and has the lock.
// * The other one is the first one. This thread gets HELD, and waits until its word `waits` is 0. The holder gets the
//   address of this thread's node, and stores 0 to this word.
// So exactly one thread has the lock next. test/model/near_lock.pml is a model of this protocol.
//
// A release without a thread behind leaves the node in the queue, and changes no memory of another core. The thread may
// use the node again when the thread behind has exchanged its `state`, because nobody accesses the node after that.
//
// The holder completes its stores before it releases the lock, so the next holder sees them.
#ifndef SKERRY_OMP_NEAR_LOCK_H
#define SKERRY_OMP_NEAR_LOCK_H

#include "../internal.h"

#if SKERRY_NEAR_MEMORY

struct near_node {
    uint32_t state, waits;
    struct near_node *next;  // in one of the lists of struct near_nodes
    struct near_mutex *lock; // in whose queue the node is, if it is in one of near_mutex.h
};

_Static_assert(sizeof(struct near_node *) == sizeof(uint32_t), "a lock's word has the address of a node");

enum { NODE_HELD = 1, NODE_FREE = 2 };

// The nodes of a thread.
struct near_nodes {
    struct near_node *held;     // of the locks that it holds, the last one first: critical sections nest
    struct near_node *spare;    // in no queue
    struct near_node *released; // possibly in a queue
};

static SKERRY_PER_THREAD struct near_nodes near_nodes;

// Returns a node that is in no queue, when the list of spare nodes is empty.
static SKERRY_COLD struct near_node *find_node(void) {
    for (struct near_node **place = &near_nodes.released; *place; place = &(*place)->next) {
        struct near_node *node = *place;
        if (__atomic_load_n(&node->state, __ATOMIC_RELAXED) == NODE_FREE) continue;
        *place = node->next;
        return node;
    }
    struct near_node *node = skerry_memory_take(sizeof *node, _Alignof(struct near_node));
    if (!node) skerry_stop("libgomp: no memory for a critical section");
    return node;
}

// Takes the lock. The thread must have a spare node. It changes its lists of nodes before it waits, so that it continues
// soon after the wait.
SKERRY_ALWAYS_INLINE void take_with_node(uint32_t *word) {
    struct near_node *node = near_nodes.spare;
    near_nodes.spare = node->next;
    __atomic_store_n(&node->state, NODE_HELD, __ATOMIC_RELAXED);
    __atomic_store_n(&node->waits, 1, __ATOMIC_RELAXED);
    struct near_node *before = (struct near_node *)__atomic_exchange_n(word, (uint32_t)node, __ATOMIC_ACQ_REL);
    node->next = near_nodes.held;
    near_nodes.held = node;
    if (!before) return;
    // If the node before is the one that this thread has released last, then the lock is free, and no other thread
    // exchanges the state of that node.
    if (before == near_nodes.released) {
        near_nodes.released = before->next;
        before->next = near_nodes.spare;
        near_nodes.spare = before;
        return;
    }
    if (__atomic_exchange_n(&before->state, (uint32_t)node, __ATOMIC_ACQ_REL) != NODE_HELD) return;
    while (__atomic_load_n(&node->waits, __ATOMIC_ACQUIRE)) {
    }
}

static __attribute__((noinline)) void take_without_node(uint32_t *word) {
    struct near_node *node = find_node();
    node->next = NULL;
    near_nodes.spare = node;
    take_with_node(word);
}

SKERRY_ALWAYS_INLINE void near_lock_take(uint32_t *word) {
    if (OMP_LIKELY(near_nodes.spare != NULL)) take_with_node(word);
    else take_without_node(word);
}

// Releases the lock that the thread took last. Tells the next thread before it changes its lists.
SKERRY_ALWAYS_INLINE void near_lock_give(void) {
    struct near_node *node = near_nodes.held;
    skerry_complete_stores();
    const uint32_t behind = __atomic_exchange_n(&node->state, NODE_FREE, __ATOMIC_RELAXED);
    if (OMP_LIKELY(behind != NODE_HELD)) {
        __atomic_store_n(&((struct near_node *)behind)->waits, 0, __ATOMIC_RELAXED);
        near_nodes.held = node->next;
        node->next = near_nodes.spare;
        near_nodes.spare = node;
        return;
    }
    near_nodes.held = node->next;
    node->next = near_nodes.released;
    near_nodes.released = node;
}

#endif

#endif
