// SPDX-License-Identifier: BSD-3-Clause
// Allocates queues (src/primitive/queue.h), through which the variants send regions (function and data) and tasks to
// threads.
#include "variant.h"

#include "../../primitive/queue.h"

struct skerry_queue *skerry_omp_queue_new(uint32_t capacity, size_t message_bytes, bool many_readers) {
    size_t slot_bytes = skerry_queue_slot_bytes(message_bytes);
    size_t bytes = skerry_queue_bytes(capacity, slot_bytes);
    struct skerry_queue *queue = skerry_memory_take(bytes, SKERRY_FALSE_SHARING_RANGE);
    if (!queue) skerry_stop("libgomp: no memory for a queue");
    __builtin_memset(queue, 0, bytes);
    skerry_queue_create(queue, capacity, slot_bytes, many_readers);
    return queue;
}
