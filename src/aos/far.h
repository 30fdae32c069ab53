// SPDX-License-Identifier: BSD-3-Clause
// Declares the operations on far PEs, which are on other nodes (far.c). internal.h includes this file on machines with far PEs.
#ifndef SKERRY_AOS_FAR_H
#define SKERRY_AOS_FAR_H

// Do for a number whose home PE is far what skerry_aos_find, skerry_aos_register, skerry_aos_publish and
// skerry_aos_unregister do at a near home PE.
SKERRY_PRIVATE SKERRY_COLD bool skerry_aos_far_find(uint64_t id, struct skerry_aos_entry *copy);
SKERRY_PRIVATE SKERRY_COLD int skerry_aos_far_register(const struct skerry_aos_entry *entry);
SKERRY_PRIVATE SKERRY_COLD void skerry_aos_far_publish(const struct skerry_aos_entry *entry);
SKERRY_PRIVATE SKERRY_COLD void skerry_aos_far_unregister(const struct skerry_aos_entry *entry);

// Sends a request to the far PE `pe`, with the data from the stage for SKERRY_AOS_MOVE_TO. Waits while the PE's queue is
// full. Returns false if the PE has ended, or if the segment has.
SKERRY_PRIVATE bool skerry_aos_far_request(const struct skerry_aos_request *request, int pe, uint32_t policy);
// Does an atomic on a word of a far PE, which the PEs of that node reach by load and store.
SKERRY_PRIVATE int skerry_aos_far_atomic(const aos_segment_t *segment, const struct skerry_aos_way *way,
                                         uint32_t operation, int64_t value, int64_t expected, int64_t *result);
SKERRY_PRIVATE int skerry_aos_far_enqueue(aos_queue_t *queue, const void *message, size_t bytes, bool waits);
SKERRY_PRIVATE int skerry_aos_far_park(struct skerry_aos_deferred *wanted, int owner, uint32_t policy);
SKERRY_PRIVATE bool skerry_aos_far_has_deferred(int owner, uint64_t reference);
// Tells the node of a far PE that this PE has changed memory of that PE, so that the deferred atomics there are polled.
SKERRY_PRIVATE void skerry_aos_far_changed(int owner, bool is_private);
// Sends the answer to an operation of a far PE. `stage`, if not NULL, holds `bytes` bytes of data for `dest`.
// `deferred_at` is the owner of the words of a conditional atomic; -1: the operation is another one.
SKERRY_PRIVATE void skerry_aos_far_answer(int initiator, uint32_t reply, uint64_t sequence, int64_t value, int error,
                                          int deferred_at, struct skerry_aos_far_stage *stage, size_t bytes,
                                          uint64_t dest);

// A wait that asks a far PE again and again. No PE wakes this PE when the far word changes, so it asks at intervals
// that grow from 20 microseconds to a millisecond. Use:
//     struct skerry_aos_far_wait wait = skerry_aos_begin_far_wait(policy);
//     while (!(the far PE's answer is right)) skerry_aos_far_pause(&wait);
//     skerry_aos_end_wait(&wait.waiter);
struct skerry_aos_far_wait {
    struct skerry_aos_waiter waiter;
    uint64_t interval; // ticks; 0: this PE has not asked yet
};
SKERRY_PRIVATE struct skerry_aos_far_wait skerry_aos_begin_far_wait(uint32_t policy);
SKERRY_PRIVATE void skerry_aos_far_pause(struct skerry_aos_far_wait *wait);
// Returns true if it is a millisecond ago that this function returned true for the same word, or longer.
SKERRY_PRIVATE bool skerry_aos_is_time_to_ask(uint64_t *asked);

#endif
