// SPDX-License-Identifier: BSD-3-Clause
// Declares what the senders (queue.c) and the readers (dequeue.c) of queues share.
#ifndef SKERRY_AOS_QUEUE_INTERNAL_H
#define SKERRY_AOS_QUEUE_INTERNAL_H

#include "internal.h"

// Checks the arguments of an enqueue of `bytes` bytes, or of a dequeue (`bytes` is 0). Returns AOS_SUCCESS or the
// error. If checks are on (skerry_checking), reports the error and ends the job.
SKERRY_PRIVATE int skerry_aos_refuse_message(const char *routine, const aos_queue_t *queue, size_t bytes);

static inline bool is_destroyed(const aos_queue_t *queue) {
    return SKERRY_LOAD_ACQUIRE(&queue->segment.entry->generation) != queue->segment.generation;
}

// Returns true if skerry_aos_refuse_message would find no error in the arguments of an enqueue or a dequeue. Does not test whether
// the queue was destroyed (is_destroyed).
static inline bool is_fit_for(const aos_queue_t *queue, size_t bytes) {
    return skerry_aos.initializations != 0 && queue && queue->segment.kind == SKERRY_AOS_QUEUE &&
           bytes <= queue->message_bytes;
}

// Pauses, so that the other end of the queue can access the queue's cache lines undisturbed. The length of the pause, a
// number of calls of skerry_relax, is a tuned value of this machine. Without the pause, a sender and a reader of the
// same speed would wait for a cache line's transfer at every message. After the pause the reader has several messages
// to read, or the sender has several free slots to fill.
static inline void pause_once(void) {
    if (skerry_is_oversubscribed()) return;
    for (unsigned moment = skerry_stream_moments_back(); moment > 0; moment--) skerry_relax();
}

#endif
