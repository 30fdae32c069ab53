// SPDX-License-Identifier: BSD-3-Clause
// A bounded queue of messages of one size in one PE's symmetric memory: any number of PEs and threads enqueue; the owner's
// threads dequeue, one (single-reader) or many (multi-reader).
//
// Tickets number messages from 0 and wrap round; ticket t has slot t modulo the slots, a power of two. A producer takes a
// ticket, waits until its slot is free, fills it in place and publishes it by the slot's turn. So messages are read in the
// order of their tickets, those of one producer in the order in which it enqueued them, and each is whole when it is seen.
//
// Who writes what.
//     tail        producers, by counting or by a compare-swap that validates first: a ticket taken is a slot promised
//     head        the reader: messages released (single reader); readers, by counting: tickets that they wait for (many)
//     slot.turn   single reader: the producer of ticket t stores t + 1: full.
//                 many: so it does, and the reader of ticket t stores t + slots: free for the producer of that ticket. Both
//                 are kept less the slot's number there, so that a queue of zeros is an empty queue.
// A producer of ticket t may write when t - head < slots (single reader), or when the turn is t (many). A reader of ticket t
// may read when the turn is t + 1. Nobody else may touch the slot in between, because each of these values names one ticket.
// Orders: publishing is a release and seeing the turn an acquire, which carries the message; releasing is a release and
// seeing it an acquire, so that the next message does not overtake the reading of the last. Nothing weaker carries either.
// A reader of an empty multi-reader queue takes its ticket all the same, and so is matched with the enqueue to come.
//
// Widths. A turn has 32 bits: a slot's turn is that of the ticket that is due, or of one a few laps before it, never of one 2^32
// before. Ticket, tail, head and `seen` are machine words. A `seen` is as old as its PE's last look, and one that is a whole
// turn of the word behind promises a slot whose message was not read. 64 bits do not turn; where words have 32 that takes longer than
// it is likely to be met (docs/design/counters.md).
// Checked by test/model/queue.pml.
#ifndef SKERRY_PRIMITIVE_QUEUE_H
#define SKERRY_PRIMITIVE_QUEUE_H

#include "wait.h"

struct skerry_queue_slot {
    _Alignas(8) uint32_t turn;
    uint32_t note; // the producer's, part of the message, published together with the turn
    uint8_t message[];
};

struct skerry_queue {
    uint32_t slots;      // a power of two; constant, like the next two
    uint32_t slot_bytes; // of a slot with its turn
    uint32_t capacity;   // messages that may be in the queue; at most slots
    uint32_t many_readers;
    _Alignas(SKERRY_FALSE_SHARING_RANGE) skerry_word tail;
    _Alignas(SKERRY_FALSE_SHARING_RANGE) skerry_word head;
    _Alignas(SKERRY_FALSE_SHARING_RANGE) uint8_t memory[];
};

// What an enqueuing PE knows of a queue. `seen` may be stale, which costs another look.
struct skerry_queue_end {
    struct skerry_queue *queue; // symmetric address, or any PE's global one
    int32_t owner;
    uint32_t mask;
    uint32_t slot_bytes;
    uint32_t capacity;
    uint32_t many_readers;
    skerry_word seen; // head, the last time that this PE looked
};

// Bytes of a slot with room for a message of so many, and of a queue.
SKERRY_ALWAYS_INLINE size_t skerry_queue_slot_bytes(size_t message_bytes) {
    return (sizeof(struct skerry_queue_slot) + message_bytes + 7) & ~(size_t)7;
}

SKERRY_ALWAYS_INLINE uint32_t skerry_queue_slots(uint32_t capacity) {
    if (__builtin_constant_p(capacity) && capacity > 2) return 1u << (32 - __builtin_clz(capacity - 1));
    uint32_t slots = 2; // with one, a full slot's turn would be the free one's
    while (slots < capacity) slots += slots;
    return slots;
}

SKERRY_ALWAYS_INLINE size_t skerry_queue_bytes(uint32_t capacity, size_t slot_bytes) {
    return sizeof(struct skerry_queue) + skerry_queue_slots(capacity) * slot_bytes;
}

// Makes a queue in this PE's zeroed memory. Who opens it before has a queue of capacity 0, and may open it again.
SKERRY_PRIVATE void skerry_queue_create(struct skerry_queue *queue, uint32_t capacity, size_t slot_bytes,
                                        bool many_readers);

// Reads the constants of a queue of PE `owner`. Stores end->queue last: threads that share an end look at it first.
SKERRY_PRIVATE void skerry_queue_open(struct skerry_queue_end *end, struct skerry_queue *queue, int owner);

// -- Enqueue -----------------------------------------------------------------------------------------------------------

// The slot of a ticket as this PE reaches it.
SKERRY_ALWAYS_INLINE struct skerry_queue_slot *skerry_queue_slot_of(const struct skerry_queue_end *end,
                                                                    skerry_word ticket) {
    size_t at = (size_t)(ticket & end->mask) * end->slot_bytes;
    return (struct skerry_queue_slot *)skerry_global(end->queue->memory + at, end->owner);
}

// Whether the slot of a ticket that was taken is free: look again, for ever, until it is.
SKERRY_ALWAYS_INLINE bool skerry_queue_has_room(struct skerry_queue_end *end, skerry_word ticket) {
    if (end->many_readers) {
        uint32_t turn = SKERRY_LOAD_ACQUIRE(&skerry_queue_slot_of(end, ticket)->turn);
        return turn + (uint32_t)(ticket & end->mask) == (uint32_t)ticket;
    }
    if (ticket - __atomic_load_n(&end->seen, __ATOMIC_RELAXED) < end->capacity)
        return true; // threads may share the end
    skerry_word head = skerry_atomic_poll(&end->queue->head, end->owner);
    __atomic_store_n(&end->seen, head, __ATOMIC_RELAXED);
    return ticket - head < end->capacity;
}

// Takes the next ticket, whether or not there is room: its message will be read in this turn. Wait for room before filling.
SKERRY_ALWAYS_INLINE skerry_word skerry_queue_take_ticket(struct skerry_queue_end *end) {
    return skerry_atomic_count(&end->queue->tail, 1, end->owner);
}

// Takes a ticket only if its slot is free. False: the queue is full.
SKERRY_ALWAYS_INLINE bool skerry_queue_try_ticket(struct skerry_queue_end *end, skerry_word *ticket) {
    skerry_word tail = skerry_atomic_poll(&end->queue->tail, end->owner);
    for (;;) {
        skerry_word next = *ticket = tail;
        if (!skerry_queue_has_room(end, tail)) {
            tail = skerry_atomic_poll(&end->queue->tail, end->owner);
            if (tail == next) return false;
            continue; // the look was late, not the queue full
        }
        tail = skerry_atomic_claim(&end->queue->tail, next, next + 1, end->owner);
        if (tail == next) return true;
    }
}

// After the ticket's slot was filled: the message may be read. Wakes the owner.
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

// Single reader: the oldest message, which stays in the queue until it is released; NULL: none has come.
SKERRY_ALWAYS_INLINE struct skerry_queue_slot *skerry_queue_first(struct skerry_queue *queue) {
    struct skerry_queue_slot *slot = skerry_queue_own_slot(queue, queue->head);
    return SKERRY_LOAD_ACQUIRE(&slot->turn) == (uint32_t)(queue->head + 1) ? slot : 0;
}

// The oldest message's slot is free again. Wakes producers that wait for room.
SKERRY_ALWAYS_INLINE void skerry_queue_release(struct skerry_queue *queue) {
    skerry_store_release(&queue->head, queue->head + 1, skerry_my_pe());
}

// Many readers: a reader takes a ticket, waits until its message has come, and releases it when it has done with it.
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

// A ticket only if its message has come. False: there is none, or other readers are first.
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
