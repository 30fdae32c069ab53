// SPDX-License-Identifier: BSD-3-Clause
// Implements the heap that all PEs of a node share. The administration data of the heap (struct heap) also lies in the
// shared memory. In a job of several nodes each node has a heap of its own.
// - A queue lock whose home PE is PE 0 protects the heaps of all nodes. Only the holder of the lock reads or changes a
//   heap.
// - A PE completes its stores (skerry_quiet) before it releases the lock. So the next holder sees them.
// - The lock distinguishes PEs but not threads. So a thread first acquires the gate, a second lock that only the
//   threads of its own PE use.
#include "shared_heap.h"

#include "lock.h"
#include "wait.h"

#ifdef SKERRY_SYSTEM_BYTES_MIN
_Static_assert(sizeof(struct skerry_shared_heap_words) <= SKERRY_SYSTEM_BYTES_MIN, "the words fit the system memory");
#endif

static struct skerry_shared_heap_words *words(void) {
    size_t bytes;
    char *memory = skerry_system_memory(&bytes);
    return (struct skerry_shared_heap_words *)(void *)(memory + bytes - sizeof(struct skerry_shared_heap_words));
}

static void close_gate(void) {
#if SKERRY_THREADS
    int me = skerry_my_pe();
    SKERRY_WAIT_UNTIL(skerry_atomic_compare_swap_64(&words()->gate, 0, 1, me) == 0, me);
#endif
}

static void open_gate(void) {
#if SKERRY_THREADS
    skerry_atomic_store_64(&words()->gate, 0, skerry_my_pe());
#endif
}

static struct heap *enter(void) {
    size_t bytes;
    struct heap *heap = skerry_shared_memory(&bytes);
    if (bytes <= sizeof *heap) return 0;
    close_gate();
    if (!skerry_lock_take(&words()->lock)) skerry_lock_await(&words()->lock);
    const int first = SKERRY_FAR_PES ? skerry_owner(heap) : 0; // first PE of this node
    if (!skerry_get_value(long, &words()->formed, first)) {
        size_t own = (sizeof *heap + 63) / 64 * 64;
        skerry_heap_init(heap, (char *)heap + own, bytes - own, 0);
        skerry_put_value(long, &words()->formed, 1, first);
    }
    return heap;
}

static void leave(void) {
    skerry_quiet();
    if (!skerry_lock_drop(&words()->lock)) skerry_lock_hand_over(&words()->lock);
    open_gate();
}

void *skerry_shared_allocate(size_t bytes) {
    struct heap *heap = bytes ? enter() : 0;
    if (!heap) return 0;
    void *block = skerry_heap_allocate(heap, bytes, 0);
    leave();
    return block;
}

enum heap_fault skerry_shared_release(void *block) {
    struct heap *heap = enter();
    if (!heap) return HEAP_FAULT_OUTSIDE;
    enum heap_fault fault = skerry_heap_free(heap, block);
    leave();
    return fault;
}
