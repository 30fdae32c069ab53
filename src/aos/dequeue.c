// SPDX-License-Identifier: BSD-3-Clause
// Dequeues from remote queues (queue.c).
#include "queue_internal.h"

// These two limits gave the best results in the benchmarks bench/limits/ring.c and bench/segments/aos.c. A run is
// several messages that the reader takes without a wait between them.
#define RUN_WORTH_IT 16           // messages: shortest run (read without a wait) that makes a pause worth it
#define RUN_LIMIT_MOST (1u << 20) // messages: greatest value of run_limit (stand_back)

static int refuse_reader(const char *routine, const aos_queue_t *queue) {
    if (is_fit_for(queue, 0) && queue->segment.creator == skerry_my_pe() && !is_destroyed(queue)) return AOS_SUCCESS;
    int error = skerry_aos_refuse_message(routine, queue, 0);
    if (!error && queue->segment.creator != skerry_my_pe())
        error = skerry_aos_refuse(routine, AOS_ERROR_BINDING, &queue->segment, 0, 0);
    return error;
}

static void describe(aos_message_t *message, const struct skerry_queue_slot *slot, skerry_word ticket) {
    message->data = slot->message;
    message->bytes = slot->note;
    message->ticket = (uint32_t)ticket;
}

static bool find_message(aos_queue_t *queue, aos_message_t *message) {
    struct skerry_queue *own = queue->queue;
    skerry_word ticket;
    if (!(queue->flags & AOS_MANY_READERS)) {
        const struct skerry_queue_slot *slot = skerry_queue_first(own);
        if (slot) describe(message, slot, own->head);
        return slot != 0;
    }
    if (!skerry_queue_try_request(own, &ticket)) return false;
    describe(message, skerry_queue_own_slot(own, ticket), ticket);
    return true;
}

// Waits for a message as one of several readers. Takes the readers' next ticket (the number of a message), and waits
// for the message with this number.
static void wait_in_turn(aos_queue_t *queue, aos_message_t *message) {
    skerry_word ticket = skerry_queue_request(queue->queue);
    const struct skerry_queue_slot *slot;
    SKERRY_AOS_WAIT_UNTIL((slot = skerry_queue_answer(queue->queue, ticket)) != 0, skerry_my_pe(),
                          queue->segment.waiting);
    describe(message, slot, ticket);
}

// Makes the reader of a stream of messages pause after it has caught up with the senders, if the pause saves time. A
// run is a number of messages that the reader takes without a wait. The pause saves time if the next run has at least
// RUN_WORTH_IT messages. If the run is shorter, the reader makes no more pauses, and tries again after `run_limit`
// messages. `run_limit` doubles after each trial with a shorter run.
static void stand_back(aos_queue_t *queue) {
    uint32_t head = (uint32_t)queue->queue->head, run = head - queue->stood_back_at;
    if (queue->stands_back) {
        queue->stands_back = run >= RUN_WORTH_IT;
        if (queue->stands_back) queue->run_limit = SKERRY_AOS_RUN_LIMIT_LEAST;
        else if (queue->run_limit < RUN_LIMIT_MOST) queue->run_limit *= 2;
        queue->stood_back_at = head;
    } else if (run >= queue->run_limit) {
        queue->stands_back = true;
        queue->stood_back_at = head;
    }
    if (queue->stands_back) pause_once();
}

// Returns true if the fast path is for this queue: the queue has one reader, and there is no error.
static inline bool is_simple_to_read(const aos_queue_t *queue) {
    return is_fit_for(queue, 0) && !(queue->flags & AOS_MANY_READERS) && queue->segment.creator == skerry_my_pe() &&
           !is_destroyed(queue);
}

// Finds the next message on the fast path, if it has arrived. Returns false in every other case.
static inline bool has_message(const aos_queue_t *queue, aos_message_t *message) {
    if (!is_simple_to_read(queue)) return false;
    const struct skerry_queue_slot *slot = skerry_queue_first(queue->queue);
    if (slot) describe(message, slot, queue->queue->head);
    return slot != 0;
}

#if SKERRY_FAR_WATCHES

// Polls before the general wait, whose polls take six times as long and which ends later. Enough for an answer of another PE.
#define POLLS_OF_A_READER 2000

// Finds the next message on the fast path, and waits for it if it comes soon. Returns false in every other case.
static inline bool find_soon(const aos_queue_t *queue, aos_message_t *message) {
    if (!is_simple_to_read(queue)) return false;
    const skerry_word head = queue->queue->head;
    const struct skerry_queue_slot *slot = skerry_queue_own_slot(queue->queue, head);
    for (int polls = POLLS_OF_A_READER; SKERRY_LOAD_ACQUIRE(&slot->turn) != (uint32_t)(head + 1); polls--)
        if (polls == 0) return false;
    describe(message, slot, head);
    return true;
}

#else

static inline bool find_soon(const aos_queue_t *queue, aos_message_t *message) {
    return has_message(queue, message);
}

#endif

// Returns true at every RUN_WORTH_IT-th message of a run (messages that the reader takes without a wait). At such a
// message the reader tests if it has caught up with the sender (has_caught_up). A test for an empty queue is not
// enough. A reader that follows its sender closely possibly never finds the queue empty. The transfers of the shared
// cache lines make both equally fast.
SKERRY_ALWAYS_INLINE bool is_due_to_check(const aos_queue_t *queue) {
    const unsigned moments = skerry_stream_moments_back();
    if (__builtin_constant_p(moments) && moments == 0) return false;
    return ((uint32_t)queue->queue->head - queue->stood_back_at) % RUN_WORTH_IT == 0;
}

static bool has_caught_up(const aos_queue_t *queue) {
    const skerry_word later = queue->queue->head + RUN_WORTH_IT - 1;
    const uint32_t *turn = &skerry_queue_own_slot(queue->queue, later)->turn;
    return queue->capacity >= 2 * RUN_WORTH_IT && __atomic_load_n(turn, __ATOMIC_RELAXED) != (uint32_t)(later + 1);
}

static int begin(const char *routine, aos_queue_t *queue, aos_message_t *message, bool wait) {
    if (wait ? find_soon(queue, message) : has_message(queue, message)) {
        if (wait && is_due_to_check(queue) && has_caught_up(queue)) stand_back(queue);
        return AOS_SUCCESS;
    }
    int error = refuse_reader(routine, queue);
    if (error || find_message(queue, message)) return error;
    if (wait && queue->flags & AOS_MANY_READERS) {
        wait_in_turn(queue, message);
        return AOS_SUCCESS;
    }
    if (wait) {
        stand_back(queue);
        SKERRY_AOS_WAIT_UNTIL(find_message(queue, message), skerry_my_pe(), queue->segment.waiting);
        return AOS_SUCCESS;
    }
    skerry_aos_progress();
    if (find_message(queue, message)) return AOS_SUCCESS;
    skerry_poll_again();
    return AOS_ERROR_EMPTY;
}

static void end(aos_queue_t *queue, uint32_t ticket) {
    if (queue->flags & AOS_MANY_READERS) skerry_queue_release_ticket(queue->queue, ticket);
    else skerry_queue_release(queue->queue);
}

int aos_dequeue_begin(aos_queue_t *queue, aos_message_t *message) {
    return begin("aos_dequeue_begin", queue, message, true);
}

int aos_try_dequeue_begin(aos_queue_t *queue, aos_message_t *message) {
    return begin("aos_try_dequeue_begin", queue, message, false);
}

// Returns true if the program is allowed to end the message by aos_dequeue_end. The condition: a reader has taken the
// message's ticket (its number in the queue), and the message's slot is still full. With one reader, the taken ticket
// is `head`. With many readers, all tickets before `head` are taken.
static bool is_begun(const aos_queue_t *queue, const aos_message_t *message) {
    struct skerry_queue *own = queue->queue;
    if (!message) return false;
    if (!(queue->flags & AOS_MANY_READERS)) return message->ticket == (uint32_t)own->head && skerry_queue_first(own);
    uint32_t head = (uint32_t)skerry_atomic_poll(&own->head, skerry_my_pe());
    return (int32_t)(message->ticket - head) < 0 && skerry_queue_answer(own, message->ticket);
}

int aos_dequeue_end(aos_queue_t *queue, const aos_message_t *message) {
    int error = refuse_reader("aos_dequeue_end", queue);
    if (!error && !is_begun(queue, message))
        error = skerry_aos_refuse_argument("aos_dequeue_end",
                                           message ? "message: must be a pointer that aos_dequeue_begin has stored and "
                                                     "that aos_dequeue_end has not got yet"
                                                   : "message: must not be NULL",
                                           0, 0);
    if (!error) end(queue, message->ticket);
    return error;
}

static int take(const char *routine, aos_queue_t *queue, void *buffer, size_t capacity, size_t *bytes, bool wait) {
    // With several readers a message that was taken cannot be put back. So the buffer's size is checked before a
    // message is taken.
    if (queue && queue->flags & AOS_MANY_READERS && capacity < queue->message_bytes) {
        int wrong = refuse_reader(routine, queue);
        return wrong ? wrong : skerry_aos_refuse(routine, AOS_ERROR_SIZE, &queue->segment, 0, capacity);
    }
    aos_message_t message;
    int error = begin(routine, queue, &message, wait);
    if (error) return error;
    if (bytes) *bytes = message.bytes;
    if (message.bytes > capacity) return skerry_aos_refuse(routine, AOS_ERROR_SIZE, &queue->segment, 0, message.bytes);
    skerry_copy(buffer, message.data, message.bytes);
    end(queue, message.ticket);
    return AOS_SUCCESS;
}

static __attribute__((noinline)) int dequeue_slowly(aos_queue_t *queue, void *buffer, size_t capacity, size_t *bytes) {
    return take("aos_dequeue", queue, buffer, capacity, bytes, true);
}

#if SKERRY_FAR_WATCHES

static __attribute__((noinline)) int dequeue_found(aos_queue_t *queue, void *buffer, size_t capacity, const void *data,
                                                   size_t message_bytes, size_t *bytes) {
    (void)capacity;
    if (bytes) *bytes = message_bytes;
    skerry_copy(buffer, data, message_bytes);
    skerry_queue_release(queue->queue);
    return AOS_SUCCESS;
}

#else

static inline int dequeue_found(aos_queue_t *queue, void *buffer, size_t capacity, const void *data,
                                size_t message_bytes, size_t *bytes) {
    (void)data, (void)message_bytes;
    return dequeue_slowly(queue, buffer, capacity, bytes);
}

#endif

// Dequeues a message. As in aos_enqueue, the fast path saves no register on the stack.
int aos_dequeue(aos_queue_t *queue, void *buffer, size_t capacity, size_t *bytes) {
    aos_message_t message;
    if (!find_soon(queue, &message) || is_due_to_check(queue) || message.bytes > capacity)
        return dequeue_slowly(queue, buffer, capacity, bytes);
    if (!skerry_copy_short(buffer, message.data, message.bytes))
        return dequeue_found(queue, buffer, capacity, message.data, message.bytes, bytes);
    if (bytes) *bytes = message.bytes;
    skerry_queue_release(queue->queue);
    return AOS_SUCCESS;
}

int aos_try_dequeue(aos_queue_t *queue, void *buffer, size_t capacity, size_t *bytes) {
    return take("aos_try_dequeue", queue, buffer, capacity, bytes, false);
}

int aos_queue_event(aos_queue_t *queue, aos_event_t *event) {
    static const char routine[] = "aos_queue_event";
    int error = refuse_reader(routine, queue);
    if (error) return error;
    if (!event) return skerry_aos_refuse_argument(routine, "event: must not be NULL", 0, 0);
    if (queue->flags & AOS_MANY_READERS)
        return skerry_aos_refuse_argument(routine, "queue: must have been created without AOS_MANY_READERS", 0, 0);
    skerry_word head = queue->queue->head;
    *event = (aos_event_t){.word = &skerry_queue_own_slot(queue->queue, head)->turn,
                           .value = (int64_t)(uint32_t)(head + 1),
                           .condition = AOS_EQUAL,
                           .owner = skerry_my_pe(),
                           .bits = 32};
    return AOS_SUCCESS;
}
