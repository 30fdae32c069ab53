// SPDX-License-Identifier: BSD-3-Clause
// Declares the operations on segments and queues of PEs of other nodes (far PEs). far.c defines them. internal.h
// includes this file on machines with far PEs.
#ifndef SKERRY_AOS_FAR_H
#define SKERRY_AOS_FAR_H

// The next four functions do what skerry_aos_find, skerry_aos_register, skerry_aos_publish and skerry_aos_unregister
// do. They are for a segment whose number is looked up by a PE of another node (the number's home PE).
SKERRY_PRIVATE SKERRY_COLD bool skerry_aos_far_find(uint64_t id, struct skerry_aos_entry *copy);
SKERRY_PRIVATE SKERRY_COLD int skerry_aos_far_register(const struct skerry_aos_entry *entry);
SKERRY_PRIVATE SKERRY_COLD void skerry_aos_far_publish(const struct skerry_aos_entry *entry);
SKERRY_PRIVATE SKERRY_COLD void skerry_aos_far_unregister(const struct skerry_aos_entry *entry);

#if SKERRY_PRIVATE_MEMORY
// Sends a request to PE `pe` of another node. A request of kind SKERRY_AOS_MOVE_TO (a put) carries the data that is in
// the request's stage (buffer). Waits while the PE's queue of requests is full. Returns false if the PE or the segment
// has ended.
SKERRY_PRIVATE bool skerry_aos_far_request(const struct skerry_aos_request *request, int pe, uint32_t policy);
#endif
// Does an atomic on a word of a PE of another node. The PEs of that node must be able to access the word by load and
// store.
SKERRY_PRIVATE int skerry_aos_far_atomic(const aos_segment_t *segment, const struct skerry_aos_way *way,
                                         uint32_t operation, int64_t value, int64_t expected, int64_t *result);
SKERRY_PRIVATE int skerry_aos_far_enqueue(aos_queue_t *queue, const void *message, size_t bytes, bool waits);
#if SKERRY_FAR_WATCHES
// Asks PE `pe` for its credits for a queue of PE `owner` (credits.c). Returns their number. The next function gives credits
// of PE `pe` back to the queue.
SKERRY_PRIVATE uint32_t skerry_aos_far_ask_for_credits(int pe, int owner, uint32_t identity, uint32_t new_identity);
SKERRY_PRIVATE void skerry_aos_far_send_credits(int owner, uint32_t identity, int pe, uint32_t count);
#endif
SKERRY_PRIVATE int skerry_aos_far_defer(struct skerry_aos_deferred *wanted, int owner, uint32_t policy);
SKERRY_PRIVATE bool skerry_aos_far_has_deferred(int owner, uint64_t reference);
// Tells the node of PE `owner`, by a message, that this PE has changed memory of PE `owner`. The process that receives
// the message polls the deferred atomics on that memory: it does each conditional atomic whose condition holds now.
SKERRY_PRIVATE void skerry_aos_far_changed(int owner, bool is_private);
// Sends the answer to an operation of a PE of another node. `stage` is NULL, or a buffer with `bytes` bytes of data for
// address `dest` of the initiator. `deferred_at` is the owner of the words of a conditional atomic. For any other
// operation it is -1.
SKERRY_PRIVATE void skerry_aos_far_answer(int initiator, uint32_t reply, uint64_t sequence, int64_t value, int error,
                                          int deferred_at, struct skerry_aos_far_stage *stage, size_t bytes,
                                          uint64_t dest);

// Sets the handler of messages (landing.c). It is a constructor. aos_init calls it too, so that each program with aos_init
// contains it.
SKERRY_PRIVATE void skerry_aos_listen(void);

// A wait that sends a message to a PE of another node again and again, until the answer is right. No PE wakes this PE
// when a word on the other node changes. So the messages are sent at intervals, which grow from 20 microseconds to
// about a millisecond. Use:
//     struct skerry_aos_far_wait wait = skerry_aos_begin_far_wait(policy);
//     while (!(the far PE's answer is right)) skerry_aos_far_pause(&wait);
//     skerry_aos_end_wait(&wait.waiter);
struct skerry_aos_far_wait {
    struct skerry_aos_waiter waiter;
    uint64_t interval; // ticks; 0: no message was sent yet
};
SKERRY_PRIVATE struct skerry_aos_far_wait skerry_aos_begin_far_wait(uint32_t policy);
SKERRY_PRIVATE void skerry_aos_far_pause(struct skerry_aos_far_wait *wait);
// Returns true at most once in a millisecond for the same `*last_time`. If the result is true, stores the current time
// to `*last_time`.
SKERRY_PRIVATE bool skerry_aos_is_time_to_ask(uint64_t *last_time);

#endif
