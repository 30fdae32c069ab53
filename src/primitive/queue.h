// SPDX-License-Identifier: BSD-3-Clause
// Declares a bounded queue of messages of one size in one PE's symmetric memory. Any number of PEs and threads enqueue.
// Threads of the PE that owns the queue dequeue: one thread (single reader) or several threads (many readers). Messages
// are read in the order of their tickets. Checked by test/model/queue.pml.
//
// How a message passes through the queue:
// 1. Tickets number the messages from 0. A producer takes ticket t. Ticket t has slot t modulo the number of slots.
// 2. Each slot has a turn: a word that says for which ticket the slot is free or full. The producer waits until the
//    slot is free for ticket t, and fills the slot in place.
// 3. The producer publishes the slot: the producer stores the turn that means full. Now a reader can see the complete
//    message.
// 4. A reader reads the message, and frees the slot for ticket t + slots.
#ifndef SKERRY_PRIMITIVE_QUEUE_H
#define SKERRY_PRIMITIVE_QUEUE_H

#include "wait.h"

// A slot. `turn` says for which ticket the slot is free or full. 32 bits are enough for `turn`: a turn belongs to the
// ticket that is due in the slot, or to a ticket that used the slot shortly before. A turn never belongs to a ticket
// 2^32 earlier.
struct skerry_queue_slot {
    _Alignas(8) uint32_t turn;
    uint32_t note; // part of the message, set by the producer and published together with the turn
    uint8_t message[];
};

// Who writes each word:
// - `tail`: producers, by an atomic increment, or by a compare-swap after a check that the slot is free. So each ticket
//   has exactly one producer.
// - `head`, single reader: the reader, which stores the number of messages that it has released.
// - `head`, many readers: the readers, by atomic increments. `head` is the number of tickets that readers have taken.
// - `turn`, single reader: the producer of ticket t, which stores t + 1 (full).
// - `turn`, many readers: the producer of ticket t stores t + 1 (full). The reader of ticket t stores t + slots: free
//   for the producer of ticket t + slots. Both values are stored minus the slot's number, so that a queue of zeros is
//   empty.
//
// Who is allowed to access a slot:
// - The producer of ticket t, while t - head < slots (single reader) or while the turn is t (many readers).
// - The reader of ticket t, while the turn is t + 1. With many readers, a reader can have taken ticket t before the
//   message arrived.
// - No other producer or reader at these times, because each of these values belongs to one ticket only.
struct skerry_queue {
    uint32_t slots;      // number of slots, a power of two; constant after skerry_queue_create, like the next three
    uint32_t slot_bytes; // size of a slot in bytes, including turn and note
    uint32_t capacity;   // largest number of messages that the queue holds; at most `slots`
    uint32_t many_readers;
#if SKERRY_FAR_WATCHES
    _Alignas(SKERRY_FALSE_SHARING_RANGE) uint32_t promised; // number of promised slots (src/aos/credits.c)
#endif
    _Alignas(SKERRY_FALSE_SHARING_RANGE) skerry_word tail;
    _Alignas(SKERRY_FALSE_SHARING_RANGE) skerry_word head;
    _Alignas(SKERRY_FALSE_SHARING_RANGE) uint8_t memory[];
};

// The data that an enqueuing PE keeps about a queue: copies of the queue's constants, and `seen`, the last value of
// `head` that the PE has loaded. An old `seen` can make the PE load `head` again.
//
// Why a machine word is enough for `head` and `seen`: an old `seen` makes a full slot look free only if `head` has
// advanced by almost the range of a word. Words of 64 bits do not wrap. Words of 32 bits wrap only after a longer time
// than a program is likely to keep an old `seen` (docs/design/counters.md).
struct skerry_queue_end {
    struct skerry_queue *queue; // symmetric address, which can be any PE's global address
    int32_t owner;
    uint32_t mask;
    uint32_t slot_bytes;
    uint32_t capacity;
    uint32_t many_readers;
    skerry_word seen; // value of `head` when this PE last loaded it
};

// These functions compute sizes. skerry_queue_slot_bytes returns the bytes of a slot for messages of `message_bytes`
// bytes. skerry_queue_slots returns the number of slots for `capacity` messages. skerry_queue_bytes returns the bytes
// of a whole queue.
SKERRY_ALWAYS_INLINE size_t skerry_queue_slot_bytes(size_t message_bytes) {
    return (sizeof(struct skerry_queue_slot) + message_bytes + 7) & ~(size_t)7;
}

SKERRY_ALWAYS_INLINE uint32_t skerry_queue_slots(uint32_t capacity) {
    if (__builtin_constant_p(capacity) && capacity > 2) return 1u << (32 - __builtin_clz(capacity - 1));
    uint32_t slots = 2; // with one slot, the turns for full and for free would be equal
    while (slots < capacity) slots += slots;
    return slots;
}

SKERRY_ALWAYS_INLINE size_t skerry_queue_bytes(uint32_t capacity, size_t slot_bytes) {
    return sizeof(struct skerry_queue) + skerry_queue_slots(capacity) * slot_bytes;
}

// Initialises a queue in this PE's zeroed memory. A PE that opens the queue earlier finds capacity 0, and can open the
// queue again later.
SKERRY_PRIVATE void skerry_queue_create(struct skerry_queue *queue, uint32_t capacity, size_t slot_bytes,
                                        bool many_readers);

// Opens a queue of PE `owner` for enqueuing: reads the queue's constants into *end. If the owner has not created the
// queue yet, end->capacity stays 0. Threads and handlers can share an end:
// - Each of them first loads end->capacity (an acquire), and opens the end if it is 0.
// - Several of them can open the end at the same time, because they store the same values.
// - end->capacity is stored last. A thread or handler that loads another value than 0 finds all the other fields.
SKERRY_PRIVATE void skerry_queue_open(struct skerry_queue_end *end, struct skerry_queue *queue, int owner);

// -- Enqueue -----------------------------------------------------------------------------------------------------------

// Returns the address at which this PE accesses the slot of a ticket (the number of a message).
SKERRY_ALWAYS_INLINE struct skerry_queue_slot *skerry_queue_slot_of(const struct skerry_queue_end *end,
                                                                    skerry_word ticket) {
    size_t at = (size_t)(ticket & end->mask) * end->slot_bytes;
    return (struct skerry_queue_slot *)skerry_global(end->queue->memory + at, end->owner);
}

// Returns true if the slot of a taken ticket is free. A producer that has taken a ticket must repeat this call until
// the slot is free.
SKERRY_ALWAYS_INLINE bool skerry_queue_has_room(struct skerry_queue_end *end, skerry_word ticket) {
    if (end->many_readers) {
        uint32_t turn = SKERRY_LOAD_ACQUIRE(&skerry_queue_slot_of(end, ticket)->turn);
        return turn + (uint32_t)(ticket & end->mask) == (uint32_t)ticket;
    }
    if (ticket - __atomic_load_n(&end->seen, __ATOMIC_RELAXED) < end->capacity)
        return true; // `seen` is atomic because threads can share the end
    skerry_word head = skerry_atomic_poll(&end->queue->head, end->owner);
    __atomic_store_n(&end->seen, head, __ATOMIC_RELAXED);
    return ticket - head < end->capacity;
}

// Takes the next ticket (the number of a message), even if the queue is full. The caller must wait until the slot is
// free (skerry_queue_has_room) before it fills the slot.
SKERRY_ALWAYS_INLINE skerry_word skerry_queue_take_ticket(struct skerry_queue_end *end) {
    return skerry_atomic_count(&end->queue->tail, 1, end->owner);
}

// Takes a ticket if the ticket's slot is free. If the queue is full, returns false.
SKERRY_ALWAYS_INLINE bool skerry_queue_try_ticket(struct skerry_queue_end *end, skerry_word *ticket) {
    skerry_word tail = skerry_atomic_poll(&end->queue->tail, end->owner);
    for (;;) {
        skerry_word next = *ticket = tail;
        if (!skerry_queue_has_room(end, tail)) {
            tail = skerry_atomic_poll(&end->queue->tail, end->owner);
            if (tail == next) return false;
            continue; // the queue is not full: another producer has taken this ticket
        }
        tail = skerry_atomic_claim(&end->queue->tail, next, next + 1, end->owner);
        if (tail == next) return true;
    }
}

// Publishes a filled slot, so that a reader can read its message. Wakes the queue's owner. The store of the turn is a
// release, and the reader's load of the turn is an acquire. Nothing weaker guarantees that a reader that sees the turn
// also sees the message.
SKERRY_ALWAYS_INLINE void skerry_queue_publish_slot(const struct skerry_queue_end *end, struct skerry_queue_slot *slot,
                                                    skerry_word ticket, uint32_t note) {
    uint32_t turn = (uint32_t)(ticket + 1 - (end->many_readers ? ticket & end->mask : 0));
    skerry_store_release_pair(&slot->turn, turn, note, end->owner);
}

SKERRY_ALWAYS_INLINE void skerry_queue_publish(const struct skerry_queue_end *end, skerry_word ticket, uint32_t note) {
    skerry_queue_publish_slot(end, skerry_queue_slot_of(end, ticket), ticket, note);
}

// -- Dequeue: the owner ------------------------------------------------------------------------------------------------

SKERRY_ALWAYS_INLINE struct skerry_queue_slot *skerry_queue_own_slot(struct skerry_queue *queue, skerry_word ticket) {
    size_t at = (size_t)(ticket & (queue->slots - 1)) * queue->slot_bytes;
    return (struct skerry_queue_slot *)(void *)(queue->memory + at);
}

// For a single reader: returns the slot of the oldest message, or NULL if no message has arrived. The message stays in
// the queue until skerry_queue_release.
SKERRY_ALWAYS_INLINE struct skerry_queue_slot *skerry_queue_first(struct skerry_queue *queue) {
    struct skerry_queue_slot *slot = skerry_queue_own_slot(queue, queue->head);
    return SKERRY_LOAD_ACQUIRE(&slot->turn) == (uint32_t)(queue->head + 1) ? slot : 0;
}

// For a single reader: releases the oldest message's slot. Wakes producers that wait for a free slot. The store is a
// release, and the producer's load of `head` is an acquire. Nothing weaker guarantees that a producer writes the next
// message after the reader has read this one.
SKERRY_ALWAYS_INLINE void skerry_queue_release(struct skerry_queue *queue) {
    skerry_store_release(&queue->head, queue->head + 1, skerry_my_pe());
}

// For many readers: takes the next ticket, even if the queue is empty. The reader repeats skerry_queue_answer until it
// returns the ticket's message, and calls skerry_queue_release_ticket when it no longer needs the message.
SKERRY_ALWAYS_INLINE skerry_word skerry_queue_request(struct skerry_queue *queue) {
    return skerry_atomic_count(&queue->head, 1, skerry_my_pe());
}

SKERRY_ALWAYS_INLINE struct skerry_queue_slot *skerry_queue_answer(struct skerry_queue *queue, skerry_word ticket) {
    struct skerry_queue_slot *slot = skerry_queue_own_slot(queue, ticket);
    uint32_t turn = SKERRY_LOAD_ACQUIRE(&slot->turn);
    return turn + (uint32_t)(ticket & (queue->slots - 1)) == (uint32_t)(ticket + 1) ? slot : 0;
}

SKERRY_ALWAYS_INLINE void skerry_queue_release_ticket(struct skerry_queue *queue, skerry_word ticket) {
    uint32_t turn = (uint32_t)(ticket + queue->slots - (ticket & (queue->slots - 1)));
    skerry_store_release_32(&skerry_queue_own_slot(queue, ticket)->turn, turn, skerry_my_pe());
}

// For many readers: takes a ticket if its message has arrived. Returns false if there is no message, or if other
// readers have taken all messages that have arrived.
SKERRY_ALWAYS_INLINE bool skerry_queue_try_request(struct skerry_queue *queue, skerry_word *ticket) {
    skerry_word head = skerry_atomic_poll(&queue->head, skerry_my_pe());
    while (skerry_queue_answer(queue, head)) {
        skerry_word before = skerry_atomic_claim(&queue->head, head, head + 1, skerry_my_pe());
        *ticket = head;
        if (before == head) return true;
        head = before;
    }
    return false;
}

#endif
