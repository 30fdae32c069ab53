// SPDX-License-Identifier: BSD-3-Clause
// Implements counters and queues with several readers in software. Items and requests of a queue meet in slots: item n and
// request n use slot n modulo the number of slots. Each side exchanges the slot's word `meeting`. The side that comes
// second finds what the first has left there, stores the item at the request's address, and frees the slot.
//
// So neither side waits for the other, and a request costs two atomic operations, one on a word of all workers and one on
// the slot. A slot is free again when its item and its request have met: the word `turn` has then the number of the next
// item of this slot. A side that comes too early waits for that. The other side of that earlier meeting is between its two
// atomic operations, so this wait is short.
#include "internal.h"

#include <string.h>

struct slot {
    uint32_t turn;                                    // number of the item and of the request that use the slot now
    uint32_t meeting;                                 // NOTHING, ITEM, or the address of a request
    _Alignas(8) double words[SKERRY_EVENT_WORDS / 2]; // the item; doubles, because they move 8 bytes at a time
};
#define NOTHING 0u
#define ITEM 1u

struct skerry_event_queue {
    uint32_t items;    // number of items that were sent
    uint32_t mask;     // number of slots - 1
    uint32_t requests; // number of requests
    uint32_t unused;
    struct slot slots[];
};

SKERRY_PER_THREAD struct skerry_own_item skerry_own_item;

// -- Counters ----------------------------------------------------------------------------------------------------------

struct skerry_event_counter *skerry_event_counter_take(int worker) {
    struct skerry_event_counter *counter = skerry_memory_take_near(sizeof *counter, 8, worker);
    if (counter) counter->value = 0;
    return counter;
}

void skerry_event_counter_give(struct skerry_event_counter *counter) {
    skerry_memory_give(counter);
}

// -- Queues ------------------------------------------------------------------------------------------------------------

struct skerry_event_queue *skerry_event_queue_take(int worker, uint32_t items) {
    uint32_t slots = 1;
    while (slots < items) slots *= 2;
    struct skerry_event_queue *queue =
        skerry_memory_take_near(sizeof *queue + slots * sizeof queue->slots[0], 8, worker);
    if (!queue) return NULL;
    queue->items = queue->requests = 0;
    queue->mask = slots - 1;
    for (uint32_t i = 0; i < slots; i++) {
        queue->slots[i].turn = i;
        queue->slots[i].meeting = NOTHING;
    }
    return queue;
}

void skerry_event_queue_give(struct skerry_event_queue *queue) {
    skerry_memory_give(queue);
}

// Takes the next number of `next`, and waits until the slot of this number is free for it.
SKERRY_ALWAYS_INLINE struct slot *next_slot(struct skerry_event_queue *queue, uint32_t *next, uint32_t *number) {
    *number = __atomic_fetch_add(next, 1, __ATOMIC_RELAXED);
    struct slot *slot = &queue->slots[*number & queue->mask];
    while (__atomic_load_n(&slot->turn, __ATOMIC_ACQUIRE) != *number) {
    }
    return slot;
}

// Makes a slot, whose item and request with this number have met, free for the next ones.
SKERRY_ALWAYS_INLINE void free_slot(struct slot *slot, uint32_t number, const struct skerry_event_queue *queue) {
    __atomic_store_n(&slot->meeting, NOTHING, __ATOMIC_RELAXED);
    __atomic_store_n(&slot->turn, number + queue->mask + 1, __ATOMIC_RELEASE);
}

// The words of an item in registers. Two words move at a time; the memory performs such an access as a whole.
struct in_registers {
    double a, b, c, d;
};
_Static_assert(SKERRY_EVENT_WORDS == 8, "four registers");

SKERRY_ALWAYS_INLINE struct in_registers load_item(const double *from) {
    return (struct in_registers){from[0], from[1], from[2], from[3]};
}

// Stores an item. The first word says that the item has arrived, so it is stored last.
SKERRY_ALWAYS_INLINE void store_item(double *to, struct in_registers item) {
    to[1] = item.b;
    to[2] = item.c;
    to[3] = item.d;
    __atomic_thread_fence(__ATOMIC_RELEASE);
    *(volatile double *)to = item.a;
}

// Gives the item to the request if that has come first. Otherwise leaves it in the slot.
void skerry_event_enqueue(void) {
    struct skerry_event_queue *queue = skerry_own_item.queue;
    uint32_t number;
    struct slot *slot = next_slot(queue, &queue->items, &number);
    const struct in_registers item = load_item((const double *)(const void *)(uintptr_t)skerry_own_item.words);
    uint32_t found = __atomic_load_n(&slot->meeting, __ATOMIC_ACQUIRE);
    if (found == NOTHING) {
        store_item(slot->words, item);
        found = __atomic_exchange_n(&slot->meeting, ITEM, __ATOMIC_ACQ_REL);
        if (found == NOTHING) return;
    }
    store_item((double *)(uintptr_t)found, item);
    free_slot(slot, number, queue);
}

void skerry_event_request(struct skerry_event_queue *queue, uint32_t *answer) {
    uint32_t number;
    struct slot *slot = next_slot(queue, &queue->requests, &number);
    if (__atomic_exchange_n(&slot->meeting, (uint32_t)(uintptr_t)answer, __ATOMIC_ACQ_REL) == NOTHING) return;
    store_item((double *)(void *)answer, load_item(slot->words));
    free_slot(slot, number, queue);
}

// -- Copies: there is no hardware for them -----------------------------------------------------------------------------

void skerry_copy_begin(size_t *pending, void *to, const void *from, size_t bytes) {
    (void)pending;
    memcpy(to, from, bytes);
}

void skerry_copy_complete(size_t *pending) {
    *pending = 0;
}
