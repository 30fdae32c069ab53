// SPDX-License-Identifier: BSD-3-Clause
// Creates a queue, and opens a queue for enqueuing. All other operations are inline (queue.h).
#include "queue.h"

void skerry_queue_create(struct skerry_queue *queue, uint32_t capacity, size_t slot_bytes, bool many_readers) {
    queue->slots = skerry_queue_slots(capacity);
    queue->slot_bytes = (uint32_t)slot_bytes;
    queue->many_readers = many_readers;
    __atomic_store_n(&queue->capacity, many_readers ? queue->slots : capacity, __ATOMIC_RELEASE);
}

void skerry_queue_open(struct skerry_queue_end *end, struct skerry_queue *queue, int owner) {
    const struct skerry_queue *there = skerry_global(queue, owner);
    uint32_t capacity = SKERRY_LOAD_ACQUIRE(&there->capacity);
    end->queue = queue;
    end->owner = owner;
    if (capacity) { // else the queue is not created yet, and its other words have no values
        end->mask = there->slots - 1;
        end->slot_bytes = there->slot_bytes;
        end->many_readers = there->many_readers;
        end->seen = skerry_atomic_poll(&queue->head, owner);
    }
    __atomic_store_n(&end->capacity, capacity, __ATOMIC_RELEASE);
}
