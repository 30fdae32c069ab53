// SPDX-License-Identifier: BSD-3-Clause
// Declares how a PE sends messages to a queue of a far PE whose slots are promised to it (credits.c).
#ifndef SKERRY_AOS_CREDITS_H
#define SKERRY_AOS_CREDITS_H

#include "internal.h"

#if SKERRY_FAR_WATCHES

// Make a new queue of this PE one with promised slots, and end this. skerry_aos_begin_promises returns the queue's
// identity, or 0 if its slots are not promised. skerry_aos_end_promises asks other PEs, so it must not hold a lock.
SKERRY_PRIVATE SKERRY_COLD uint32_t skerry_aos_begin_promises(struct skerry_queue *queue);
SKERRY_PRIVATE SKERRY_COLD void skerry_aos_end_promises(uint32_t identity);
// Enqueues a message if this PE has a credit for the far queue, and does not wait. Returns false if it has none, or if
// the message is too long.
SKERRY_PRIVATE bool skerry_aos_enqueue_with_credit(const aos_queue_t *queue, const void *data, size_t bytes);
// The same as a part of aos_enqueue: if it returns false there, calls skerry_aos_enqueue_otherwise, which is the rest of
// aos_enqueue (queue.c).
SKERRY_PRIVATE int skerry_aos_enqueue_promised(aos_queue_t *queue, const void *data, size_t bytes);
SKERRY_PRIVATE int skerry_aos_enqueue_otherwise(aos_queue_t *queue, const void *message, size_t bytes);
SKERRY_PRIVATE SKERRY_COLD void skerry_aos_find_credit(aos_queue_t *queue);
// Enqueues a message to a queue of this PE. The caller must have called enter() (queue.c).
SKERRY_PRIVATE int skerry_aos_enqueue_near(const aos_queue_t *queue, const void *message, size_t bytes, bool waits);
// Called by a sender whose queue is full. If `waits` is true, waits for some time until this PE has credits. If it has
// none, collects those of the PEs in the set `pes`. Returns true if the sender must try again.
SKERRY_PRIVATE bool skerry_aos_make_room(const aos_queue_t *queue, uint64_t pes, bool waits);

// The next functions are for handlers. The first one promises a slot of this PE's queue to PE `from`. If there is no
// room, it returns false and stores the set of the other PEs that have credits; if `waits` is true, it also notes that
// PE `from` waits. The next two handle messages by which credits are given back.
SKERRY_PRIVATE bool skerry_aos_promise_for(struct skerry_queue *queue, uint32_t identity, int from, bool waits,
                                           int64_t *with_credit);
SKERRY_PRIVATE uint32_t skerry_aos_give_back(const struct skerry_aos_far_message *message);
SKERRY_PRIVATE void skerry_aos_put_back(const struct skerry_aos_far_message *message);
SKERRY_PRIVATE void skerry_aos_listen_for_credits(void);

#endif

#endif
