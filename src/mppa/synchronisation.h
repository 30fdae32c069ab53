// SPDX-License-Identifier: BSD-3-Clause
// Declares how programs synchronise under the names of Kalray's MPPA processors: atomics on words of segments, the
// fence, queues, and waits for events and for conditions on words. mppa_async.h includes this header.
#ifndef SKERRY_MPPA_SYNCHRONISATION_H
#define SKERRY_MPPA_SYNCHRONISATION_H

// -- Atomics and order -------------------------------------------------------------------------------------------------

//@ mppa_async_postadd: mppa_async_postadd mppa_async_poke mppa_async_peek mppa_async_fetchadd mppa_async_fetchclear
// Does an atomic on a signed 64-bit word of a segment. The routine mppa_async_postadd adds and returns no value,
// mppa_async_poke stores, and mppa_async_peek loads. mppa_async_fetchadd adds, and mppa_async_fetchclear sets the word
// to 0. Both routines give the old value.
//   offset  offset of the word in bytes, a multiple of 8
//   value   receives the value of the word; for mppa_async_poke: the value to store
//   event   NULL: the value is valid on return. Not NULL: the routine makes an event, and the value is valid after a
//           wait or test found that the event has happened
// Order: a program that sees an addition or a store also sees this program's earlier puts to the segment. Puts and
// atomics are complete after mppa_async_fence.
// Returns: 0. -1, and nothing was done: the word is not inside the segment or not aligned, or the segment is a queue or
// was destroyed.
// Source: Hascoet et al. 2017, 3.4 and 5.4. See aos_postadd(3), aos_poke(3), aos_peek(3), aos_fetchadd(3).

//@ mppa_async_fence: mppa_async_fence
// Completes this program's operations on segments, and makes them visible to every program.
//   segment  ignored: the routine completes the operations on all segments
//   event    NULL: the routine returns when the operations are complete. Not NULL: the event happens when they are
//            complete
// Returns: 0; -1 if the operations were not completed.
// Source: Hascoet et al. 2017, 5.4. See aos_fence_all(3).

int mppa_async_postadd(const mppa_async_segment_t *segment, off64_t offset, long long addend);
int mppa_async_poke(const mppa_async_segment_t *segment, off64_t offset, long long value);
int mppa_async_peek(const mppa_async_segment_t *segment, off64_t offset, long long *value, mppa_async_event_t *event);
int mppa_async_fetchadd(const mppa_async_segment_t *segment, off64_t offset, long long addend, long long *value,
                        mppa_async_event_t *event);
int mppa_async_fetchclear(const mppa_async_segment_t *segment, off64_t offset, long long *value,
                          mppa_async_event_t *event);
int mppa_async_fence(const mppa_async_segment_t *segment, mppa_async_event_t *event);

// -- Queues ------------------------------------------------------------------------------------------------------------

//@ mppa_async_enqueue: mppa_async_enqueue
// Copies a message into a queue. If the queue is full, first waits until the owner takes a message out.
//   size   size of the message in bytes, at most the size with which the queue was created
//   flags  ignored
//   event  NULL, or an event, which has happened on return
// Order: when the owner reads the message, it also sees everything that this program wrote to the owner's memory
// before.
// Returns: 0. -1, and nothing was done: the segment is not a queue, the message is too large, or the queue was
// destroyed.
// Source: Hascoet et al. 2017, 3.2. See aos_enqueue(3).

int mppa_async_enqueue(const mppa_async_segment_t *segment, const void *message, size_t size, unsigned flags,
                       mppa_async_event_t *event);
//@ mppa_async_dequeue: mppa_async_dequeue mppa_async_discard
// Takes the oldest message out of this program's own queue. The routine copies the message to the memory that the
// program gave for the queue, where it stays until the next call. mppa_async_discard removes the oldest message without
// a copy.
//   size    for mppa_async_dequeue: 0 leaves the message in the queue as the oldest message until mppa_async_discard;
//           any other value removes it. mppa_async_discard ignores the size
//   buffer  receives the address of the message
//   event   NULL: the routine waits for a message. Not NULL: the routine makes an event. The wait or test that finds
//           that the event has happened sets *buffer
// Returns: 0; -1 if the segment is not a queue or was destroyed. mppa_async_discard also returns -1 if there is no
// message, or if the queue is another program's.
// Errors: mppa_async_dequeue from another program's queue ends the job with an error message.
// Source: Hascoet et al. 2017, 3.2. See aos_dequeue(3), aos_dequeue_begin(3).

int mppa_async_dequeue(const mppa_async_segment_t *segment, size_t size, void **buffer, mppa_async_event_t *event);
int mppa_async_discard(const mppa_async_segment_t *segment, size_t size);

// -- Events ------------------------------------------------------------------------------------------------------------

//@ mppa_async_evalcond: mppa_async_evalcond
// Waits until a word of this program satisfies a condition, or makes an event for that condition.
//   local      the word, which other programs access through a segment
//   value      the value with which the word is compared
//   condition  MPPA_ASYNC_COND_EQ, _NE, _LT, _LE, _GT or _GE: the word is equal to the value, not equal, less, less or
//              equal, greater, or greater or equal
//   event      NULL: the routine waits. Not NULL: the routine makes an event, which has happened while the condition
//              holds: each wait for the event reads the word again
// Order: the load of the word is an acquire: this program sees what was written before the word.
// Returns: 0; -1 for an invalid condition.
// Errors: on simulated clusters a word that is not memory of the program's cluster or DDR of its I/O node ends the job with an
// error message.
// Source: Hascoet et al. 2017, 5.2. See aos_event_set(3).

//@ mppa_async_event_wait: mppa_async_event_wait mppa_async_event_waitall mppa_async_event_test
// Waits until an event, or each event of an array, has happened. The routine mppa_async_event_test tests an event
// without waiting.
//   event, events  events that operations have made; a program may wait for an event again after it has happened
//   count          number of events
// Order: an acquire: the data that the operation delivers is visible.
// Returns: 0 if the event, or every event, has happened. mppa_async_event_test returns -1 if the event has not happened
// yet. All routines return -1 if an operation ended with an error.
// Source: Hascoet et al. 2017, algorithm 2. See aos_event_wait(3).

int mppa_async_evalcond(const long long *local, long long value, mppa_async_cond_t condition,
                        mppa_async_event_t *event);
int mppa_async_event_wait(mppa_async_event_t *event);
int mppa_async_event_waitall(int count, mppa_async_event_t *events);
int mppa_async_event_test(mppa_async_event_t *event);

#endif
