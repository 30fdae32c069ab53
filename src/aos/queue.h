// SPDX-License-Identifier: BSD-3-Clause
// Declares remote queues: segments into which any PE enqueues messages, and from which the owner dequeues them. Each
// message arrives whole. The messages of one sender arrive in the order in which it enqueued them. No message is lost
// and no queue overflows: a PE that enqueues into a full queue waits, and runs requests of other PEs meanwhile.

//@ aos_queue_create: aos_queue_create
// Makes a queue of this PE and publishes it under a number.
//   id             number of the queue, unique among all segments and queues of the job
//   message_bytes  size in bytes of the largest message
//   messages       number of messages that the queue can hold
//   memory         NULL: the library allocates the queue. Not NULL: the queue's memory, aos_queue_bytes bytes of this
//                  PE's symmetric memory. It must be aligned to AOS_QUEUE_ALIGNMENT bytes
//   options        NULL: the defaults. AOS_ONE_SENDER in `flags`: only one thread of one PE ever enqueues.
//                  AOS_MANY_READERS in `flags`: threads of the owner share the messages, and `messages` is rounded up
//                  to a power of two. `waiting`, `first_pe` and `pe_count` are as for a segment
// Returns: AOS_SUCCESS, AOS_ERROR_ARGUMENT or AOS_ERROR_STATE. AOS_ERROR_EXISTS: the number is taken. AOS_ERROR_MEMORY:
// there is no space for the queue or its table entry.
// Source: Hascoet et al. 2017, 3.2.

//@ aos_queue_bytes: aos_queue_bytes
// Returns the number of bytes of memory that a queue of these sizes takes. Returns 0 if a queue cannot have these
// sizes.

//@ aos_queue_clone: aos_queue_clone
// Finds a queue by its number, as aos_segment_clone finds a segment.
//   flags  0: waits until the queue is published. AOS_TRY: does not wait.
// Returns: as aos_segment_clone, but AOS_ERROR_PROTOCOL if the number belongs to a segment.

//@ aos_queue_publish: aos_queue_publish
// Lets other PEs find a queue that was created with AOS_UNPUBLISHED.
// Returns: as aos_segment_publish.

//@ aos_queue_destroy: aos_queue_destroy
// Destroys a queue or gives up a clone. If `queue` is the handle that aos_queue_create made, ends the queue and drops
// the messages in it. In senders that wait for a free slot, aos_enqueue then returns AOS_ERROR_GONE. If `queue` is a
// clone, only makes the clone invalid.
// Returns: AOS_SUCCESS or AOS_ERROR_GONE.

//@ aos_enqueue: aos_enqueue aos_try_enqueue
// Copies a message into a queue. If the queue is full, aos_enqueue waits for a free slot, and runs requests of other
// PEs meanwhile. If the queue is full, aos_try_enqueue returns AOS_ERROR_FULL.
//   bytes  size of the message in bytes, at most the queue's message_bytes; checked before the queue is changed
// Order: data that this PE wrote to the queue's owner before the call is visible when the message is read.
// Returns: AOS_SUCCESS, AOS_ERROR_SIZE if the message is too large, AOS_ERROR_FULL (only aos_try_enqueue),
// AOS_ERROR_GONE or AOS_ERROR_STATE.
// Source: Hascoet et al. 2017, 3.2.

//@ aos_dequeue: aos_dequeue aos_try_dequeue
// Copies the oldest message out of this PE's own queue. If the queue is empty, aos_dequeue waits for a message, and
// runs requests of other PEs meanwhile. If the queue is empty, aos_try_dequeue returns AOS_ERROR_EMPTY.
//   buffer    place for the message
//   capacity  size of the buffer in bytes
//   bytes     place for the size of the message in bytes; may be NULL
// Returns: AOS_SUCCESS or AOS_ERROR_GONE. AOS_ERROR_SIZE: the buffer is too small, and the message stays in the queue.
// AOS_ERROR_EMPTY (only aos_try_dequeue): there is no message. AOS_ERROR_BINDING: the queue is another PE's.
// Source: Hascoet et al. 2017, 3.2.

//@ aos_dequeue_begin: aos_dequeue_begin aos_try_dequeue_begin aos_dequeue_end
// Gives the program access to the oldest message without a copy. If there is no message, aos_dequeue_begin waits for
// one, and aos_try_dequeue_begin returns AOS_ERROR_EMPTY. Until aos_dequeue_end the program may read and write the
// message's memory. Without AOS_MANY_READERS only one message can be begun at a time: a second aos_dequeue_begin gives
// the same message.
//   message  place for the message's address and size
// Returns: as aos_dequeue. aos_dequeue_end returns AOS_ERROR_ARGUMENT for a message that was not begun or has been
// ended.

//@ aos_queue_event: aos_queue_event
// Makes an event that happens when the next message has arrived in this PE's own queue. For example, aos_event_wait_any
// waits with such events for several queues. The program must make a new event for each message. Not available with
// AOS_MANY_READERS.
// Returns: AOS_SUCCESS, AOS_ERROR_BINDING if the queue is another PE's, or AOS_ERROR_ARGUMENT.

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
