// SPDX-License-Identifier: BSD-3-Clause
// Remote queues: segments into which any PE enqueues messages, each whole and in its sender's order, and from which the owner
// dequeues them. No message is lost and no queue is overrun: who enqueues into a full one waits, and serves meanwhile.

//@ aos_queue_create: aos_queue_create
// Makes a queue of this PE and publishes it under a number.
//   id             number in the job, among segments and queues
//   message_bytes  of the largest message
//   messages       how many may be in it at once
//   memory         NULL: the library's own; or symmetric memory of this PE, aligned to AOS_QUEUE_ALIGNMENT, of aos_queue_bytes
//   options        AOS_ONE_SENDER: one thread of one PE is all that ever enqueues; AOS_MANY_READERS: threads of the owner share
//                  the messages, and the number is rounded up to a power of two; waiting and PEs as for a segment; NULL: the usual
// Returns: AOS_SUCCESS; AOS_ERROR_EXISTS; AOS_ERROR_MEMORY; AOS_ERROR_ARGUMENT; AOS_ERROR_STATE.
// Source: Hascoet et al. 2017, 3.2.

//@ aos_queue_bytes: aos_queue_bytes
// How much memory a queue takes.

//@ aos_queue_clone: aos_queue_clone
// Finds a queue by its number, as aos_segment_clone does a segment.
//   flags  0: waits until it is published. AOS_TRY: does not wait.
// Returns: as aos_segment_clone; AOS_ERROR_PROTOCOL: it is no queue.

//@ aos_queue_publish: aos_queue_publish
// Lets other PEs find a queue that was created with AOS_UNPUBLISHED.
// Returns: as aos_segment_publish.

//@ aos_queue_destroy: aos_queue_destroy
// By the handle that aos_queue_create made: ends the queue and drops what is in it; senders that wait for room get AOS_ERROR_GONE.
// By a clone: gives that up.
// Returns: AOS_SUCCESS; AOS_ERROR_GONE.

//@ aos_enqueue: aos_enqueue aos_try_enqueue
// Copies a message into a queue: waits for room, and serves meanwhile; or returns when there is none.
//   bytes  of the message, at most the queue's message_bytes, which is checked before anything is taken
// Order: what this PE wrote to the queue's owner before is there when the message is read.
// Returns: AOS_SUCCESS; AOS_ERROR_SIZE; AOS_ERROR_FULL (aos_try_enqueue); AOS_ERROR_GONE; AOS_ERROR_STATE.
// Source: Hascoet et al. 2017, 3.2.

//@ aos_dequeue: aos_dequeue aos_try_dequeue
// Copies the oldest message out of this PE's own queue: waits for one, and serves meanwhile; or returns when there is none.
//   buffer    where it goes
//   capacity  bytes of the buffer
//   bytes     what the message had; may be NULL
// Returns: AOS_SUCCESS; AOS_ERROR_SIZE: the buffer is too small, and the message still in the queue; AOS_ERROR_EMPTY
// (aos_try_dequeue); AOS_ERROR_BINDING: another PE's queue; AOS_ERROR_GONE.
// Source: Hascoet et al. 2017, 3.2.

//@ aos_dequeue_begin: aos_dequeue_begin aos_try_dequeue_begin aos_dequeue_end
// The oldest message where it is: aos_dequeue_begin waits for one, and until aos_dequeue_end its memory is the program's, to read
// and to write. Without AOS_MANY_READERS one message at a time: beginning again gives the same one.
//   message  where its place and size go
// Returns: as aos_dequeue; aos_dequeue_end AOS_ERROR_ARGUMENT for a message that was not begun or has been ended.

//@ aos_queue_event: aos_queue_event
// An event of the owner's that has happened when a message is there: for aos_event_wait_any over several queues. It is made anew
// for the next message. Not with AOS_MANY_READERS.
// Returns: AOS_SUCCESS; AOS_ERROR_BINDING; AOS_ERROR_ARGUMENT.

AOS_DECLARE(int, aos_queue_create,
            (aos_queue_t * queue, uint64_t id, size_t message_bytes, uint32_t messages, void *memory,
             const aos_options_t *options))
AOS_DECLARE(size_t, aos_queue_bytes, (size_t message_bytes, uint32_t messages))
AOS_DECLARE(int, aos_queue_clone, (aos_queue_t * queue, uint64_t id, uint32_t flags))
AOS_DECLARE(int, aos_queue_publish, (aos_queue_t * queue))
AOS_DECLARE(int, aos_queue_destroy, (aos_queue_t * queue))
AOS_DECLARE(int, aos_enqueue, (aos_queue_t * queue, const void *message, size_t bytes))
AOS_DECLARE(int, aos_try_enqueue, (aos_queue_t * queue, const void *message, size_t bytes))
AOS_DECLARE(int, aos_dequeue, (aos_queue_t * queue, void *buffer, size_t capacity, size_t *bytes))
AOS_DECLARE(int, aos_try_dequeue, (aos_queue_t * queue, void *buffer, size_t capacity, size_t *bytes))
AOS_DECLARE(int, aos_dequeue_begin, (aos_queue_t * queue, aos_message_t *message))
AOS_DECLARE(int, aos_try_dequeue_begin, (aos_queue_t * queue, aos_message_t *message))
AOS_DECLARE(int, aos_dequeue_end, (aos_queue_t * queue, const aos_message_t *message))
AOS_DECLARE(int, aos_queue_event, (aos_queue_t * queue, aos_event_t *event))
