// SPDX-License-Identifier: BSD-3-Clause
// Enqueues to and dequeues from remote queues, by the functions of src/primitive/queue.h. A queue lies in memory of its
// owner that every PE reaches. PEs find the queue by a number, as they find a segment. The size of a message in bytes
// is in the note (a word) of the message's slot.
#include "credits.h"
#include "internal.h"

#define SKERRY_AOS_SYMBOLS
#include "api.h"
#include "queue.h"

// These two limits gave the best results in the benchmarks bench/limits/ring.c and bench/segments/aos.c. A run is
// several messages that the reader takes without a wait between them.
#define RUN_WORTH_IT 16           // messages: shortest run (read without a wait) that makes a pause worth it
#define RUN_LIMIT_MOST (1u << 20) // messages: greatest value of run_limit (stand_back)

// -- Enqueue -----------------------------------------------------------------------------------------------------------

// The owner is allowed to destroy a queue at any time, but must not reuse its memory while a sender writes to it. So a
// sender first stores the queue's address to a place: a word of the array `inside` in its PE's area. A segment's
// generation is a number that changes when the segment ends. Checked by test/model/inside.pml.
//     sender                                       owner
//     S1 store the queue's address to the place    D1 increment the segment's generation (skerry_aos_unregister)
//     S2 load the generation                       D2 skerry_fence_everywhere
//     S3 take a ticket, write, publish             D3 wait until no place holds the queue's address (making.c)
//     S4 clear the place                           D4 release the memory
// Why the owner does not miss a sender:
// * S1 is a plain store. The processor is allowed to execute the load S2 before S1 is visible to other PEs.
// * D2 makes all PEs execute a fence. So either S2 sees the new generation, or D3 sees the address in the place.
// * S4 is a release and D3 an acquire, so all of S3 is done before D4.
// * A sender that waits for a free slot loads the generation at each step of its wait. If it has changed, the sender
//   returns.
// * A handler that interrupts a sender can enqueue too. So a thread has several places, and each enqueue uses a free
//   one.
static SKERRY_PER_THREAD uintptr_t *places; // this thread's words of `inside`; NULL at first, and if it has none

static bool has_places(void) {
    if (places) return true;
    int number = skerry_thread_number();
    if (SKERRY_THREADS && number == SKERRY_THREAD_NUMBERS) return false;
    places = skerry_aos.area->inside[number].queues;
    return true;
}

static inline void name_queue(uintptr_t *place, const struct skerry_queue *queue) {
    __atomic_store_n(place, (uintptr_t)queue, __ATOMIC_RELAXED);
    skerry_compiler_fence();
}

// Tells the queue's owner that this thread is writing to the queue: stores the queue's address in a free word of
// `places`. Returns that word. If the thread has no words, increments `others_inside` instead and returns NULL.
static uintptr_t *enter(const struct skerry_queue *queue) {
    if (!has_places()) {
        skerry_atomic_add_32(&skerry_aos.area->others_inside, 1, skerry_my_pe());
        skerry_quiet();
        return 0;
    }
    for (int level = 0; level < SKERRY_NESTING; level++) {
        if (places[level] != 0) continue;
        name_queue(&places[level], queue);
        return &places[level];
    }
    skerry_fail("aos_enqueue", "must not be called by so many interrupt handlers that interrupt one another: this "
                               "thread has too many unfinished calls");
}

static inline void clear_name(uintptr_t *place) {
    __atomic_store_n(place, 0, __ATOMIC_RELEASE);
    skerry_compiler_fence();
}

static void leave(uintptr_t *place) {
    if (SKERRY_THREADS && !place) skerry_atomic_add_32(&skerry_aos.area->others_inside, 0u - 1, skerry_my_pe());
    else clear_name(place);
}

// Returns the queue's data in the form that src/primitive/queue.h needs. Only one field of the data changes: `seen`,
// the last known value of the queue's head. Threads share the handle without a lock, so a thread can overwrite a newer
// value of `seen` by an older value. An old value costs another load of the head, but does no harm.
static struct skerry_queue_end end_of(const aos_queue_t *queue) {
    return (struct skerry_queue_end){.queue = queue->queue,
                                     .owner = queue->segment.owner,
                                     .mask = queue->mask,
                                     .slot_bytes = queue->slot_bytes,
                                     .capacity = queue->capacity,
                                     .many_readers = queue->flags & AOS_MANY_READERS,
                                     .seen = SKERRY_LOAD_ACQUIRE(&queue->seen)};
}

static void remember(aos_queue_t *queue, const struct skerry_queue_end *end) {
    __atomic_store_n(&queue->seen, end->seen, __ATOMIC_RELAXED);
}

// Checks the arguments of an enqueue of `bytes` bytes, or of a dequeue (`bytes` is 0). Returns AOS_SUCCESS or the
// error. If checks are on (skerry_checking), reports the error and ends the job.
static int refuse_message(const char *routine, const aos_queue_t *queue, size_t bytes) {
    int error = skerry_aos_usable(queue ? &queue->segment : 0, 0);
    if (!error && queue->segment.kind != SKERRY_AOS_QUEUE) error = AOS_ERROR_PROTOCOL;
    if (!error && bytes > queue->message_bytes) error = AOS_ERROR_SIZE;
    return error ? skerry_aos_refuse(routine, error, queue ? &queue->segment : 0, 0, bytes) : error;
}

// Prefetches, for writing, a cache line that later messages of this PE will use if no other PE sends. The owner has
// read this line, so without the prefetch a store to it would wait for the line's transfer. The atomic operation of the
// next enqueue would wait for that store. Does not prefetch in two cases:
// * Another sender took the previous ticket. The line possibly belongs to that sender's messages.
// * Fewer than `room_needed` more slots are known to be free. The line possibly holds messages that the owner has not
//   read.
static inline void prefetch_next_line(aos_queue_t *queue, struct skerry_queue_slot *slot, skerry_word ticket) {
    const unsigned lines = skerry_stream_lines_ahead(),
                   room_needed = lines * (SKERRY_LINE / sizeof(struct skerry_queue_slot));
    if (__atomic_load_n(&queue->next, __ATOMIC_RELAXED) == (uint32_t)ticket &&
        ticket + room_needed - __atomic_load_n(&queue->seen, __ATOMIC_RELAXED) < queue->capacity)
        skerry_expect_to_write((char *)slot + lines * SKERRY_LINE);
    __atomic_store_n(&queue->next, (uint32_t)ticket + 1, __ATOMIC_RELAXED);
}

static void fill_and_publish(aos_queue_t *queue, const struct skerry_queue_end *end, skerry_word ticket,
                             const void *message, size_t bytes) {
    struct skerry_queue_slot *slot = skerry_queue_slot_of(end, ticket);
    prefetch_next_line(queue, slot, ticket);
    skerry_copy(slot->message, message, bytes);
    skerry_queue_publish_slot(end, slot, ticket, (uint32_t)bytes);
}

// Returns the ticket (number) of the next message of a queue with AOS_ONE_SENDER. Only one thread takes tickets of such
// a queue, so no atomic operation is needed.
static skerry_word next_ticket(const struct skerry_queue_end *end) {
    return skerry_atomic_poll(&end->queue->tail, end->owner);
}

static void take_next_ticket(const struct skerry_queue_end *end, skerry_word ticket) {
    skerry_put_value(skerry_word, &end->queue->tail, ticket + 1, end->owner);
}

static bool is_destroyed(const aos_queue_t *queue) {
    return SKERRY_LOAD_ACQUIRE(&queue->segment.entry->generation) != queue->segment.generation;
}

// Returns true if refuse_message would find no error in the arguments of an enqueue or a dequeue. Does not test whether
// the queue was destroyed (is_destroyed).
static inline bool is_fit_for(const aos_queue_t *queue, size_t bytes) {
    return skerry_aos.initializations != 0 && queue && queue->segment.kind == SKERRY_AOS_QUEUE &&
           bytes <= queue->message_bytes;
}

// Pauses, so that the other end of the queue can access the queue's cache lines undisturbed. The length of the pause, a
// number of calls of skerry_relax, is a tuned value of this machine. Without the pause, a sender and a reader of the
// same speed would wait for a cache line's transfer at every message. After the pause the reader has several messages
// to read, or the sender has several free slots to fill.
static void pause_once(void) {
    if (skerry_is_oversubscribed()) return;
    for (unsigned moment = skerry_stream_moments_back(); moment > 0; moment--) skerry_relax();
}

// Waits until the slot of a ticket is free. Returns false if the queue was destroyed.
static __attribute__((noinline)) bool await_room(const aos_queue_t *queue, struct skerry_queue_end *end,
                                                 skerry_word ticket) {
    pause_once();
    SKERRY_AOS_WAIT_UNTIL(skerry_queue_has_room(end, ticket) || is_destroyed(queue), end->owner,
                          queue->segment.waiting);
    return !is_destroyed(queue);
}

static int enqueue_with(aos_queue_t *queue, struct skerry_queue_end *end, skerry_word ticket, const void *message,
                        size_t bytes) {
    if (!skerry_queue_has_room(end, ticket) && !await_room(queue, end, ticket)) return AOS_ERROR_GONE;
    if (queue->flags & AOS_ONE_SENDER) take_next_ticket(end, ticket);
    remember(queue, end);
    fill_and_publish(queue, end, ticket, message, bytes);
    return AOS_SUCCESS;
}

static int enqueue(aos_queue_t *queue, const void *message, size_t bytes) {
    struct skerry_queue_end end = end_of(queue);
    skerry_word ticket = queue->flags & AOS_ONE_SENDER ? next_ticket(&end) : skerry_queue_take_ticket(&end);
    return enqueue_with(queue, &end, ticket, message, bytes);
}

static int try_to_enqueue(aos_queue_t *queue, const void *message, size_t bytes) {
    struct skerry_queue_end end = end_of(queue);
    skerry_word ticket = 0;
    bool taken;
    if (queue->flags & AOS_ONE_SENDER) {
        ticket = next_ticket(&end);
        taken = skerry_queue_has_room(&end, ticket);
        if (taken) take_next_ticket(&end, ticket);
    } else {
        taken = skerry_queue_try_ticket(&end, &ticket);
    }
    remember(queue, &end);
    if (taken) fill_and_publish(queue, &end, ticket, message, bytes);
    return taken ? AOS_SUCCESS : AOS_ERROR_FULL;
}

static int report_if_gone(const char *routine, const aos_queue_t *queue, int error, size_t bytes) {
    return error == AOS_ERROR_GONE ? skerry_aos_refuse(routine, error, &queue->segment, 0, bytes) : error;
}

#if SKERRY_FAR_MESSAGES

static int enqueue_far(const char *routine, aos_queue_t *queue, const void *message, size_t bytes, bool waits) {
    int error = refuse_message(routine, queue, bytes);
    if (!error) error = skerry_aos_far_enqueue(queue, message, bytes, waits);
    return report_if_gone(routine, queue, error, bytes);
}

#endif

static int enqueue_near(aos_queue_t *queue, const void *message, size_t bytes, bool waits) {
#if SKERRY_FAR_WATCHES
    if (queue->flags & SKERRY_AOS_PROMISES) return skerry_aos_enqueue_near(queue, message, bytes, waits);
#endif
    return waits ? enqueue(queue, message, bytes) : try_to_enqueue(queue, message, bytes);
}

static __attribute__((noinline)) int enqueue_slowly(aos_queue_t *queue, const void *message, size_t bytes) {
    static const char routine[] = "aos_enqueue";
    if (!is_fit_for(queue, bytes)) return refuse_message(routine, queue, bytes);
#if SKERRY_FAR_MESSAGES
    if (queue->flags & SKERRY_AOS_FAR_QUEUE) return enqueue_far(routine, queue, message, bytes, true);
#endif
    uintptr_t *place = enter(queue->queue);
    int error = is_destroyed(queue) ? AOS_ERROR_GONE : enqueue_near(queue, message, bytes, true);
    leave(place);
    return report_if_gone(routine, queue, error, bytes);
}

#if SKERRY_FAR_WATCHES

int skerry_aos_enqueue_otherwise(aos_queue_t *queue, const void *message, size_t bytes) {
    return enqueue_slowly(queue, message, bytes);
}

// Returns true if the arguments are right, and the queue is a far one for which this PE can have credits.
static inline bool has_credits(const aos_queue_t *queue, size_t bytes) {
    const uint32_t both = SKERRY_AOS_FAR_QUEUE | SKERRY_AOS_PROMISES;
    return is_fit_for(queue, bytes) && (queue->flags & both) == both;
}

#endif

#if SKERRY_FAR_WATCHES

// The fast path is for queues of far PEs.
int aos_enqueue(aos_queue_t *queue, const void *message, size_t bytes) {
    if (has_credits(queue, bytes)) return skerry_aos_enqueue_promised(queue, message, bytes);
    return enqueue_slowly(queue, message, bytes);
}

#else

// Does the rest of aos_enqueue on the slow path. The caller has taken a ticket. The caller has also stored the queue's
// address in places[0], so that aos_queue_destroy waits for the caller.
static __attribute__((noinline)) int enqueue_ticket(aos_queue_t *queue, const void *message, size_t bytes,
                                                    skerry_word ticket) {
    struct skerry_queue_end end = end_of(queue);
    int error = enqueue_with(queue, &end, ticket, message, bytes);
    clear_name(places);
    return report_if_gone("aos_enqueue", queue, error, bytes);
}

// Flags of queues for which aos_enqueue takes the slow path.
#define SLOW_PATH_FLAGS (AOS_ONE_SENDER | AOS_MANY_READERS | SKERRY_AOS_FAR_QUEUE | SKERRY_AOS_PROMISES)

// Enqueues a message. The fast path saves no register on the stack: it makes no call after which it still needs the
// value of a register. The reason: the atomic operation of the next message would wait for the stores to the stack. A
// message of 16 bytes to another PE takes 24 ns with such calls, and 13 ns without them. Benchmark:
// bench/segments/aos.c, aos_queue, on a Zen 3.
int aos_enqueue(aos_queue_t *queue, const void *message, size_t bytes) {
    uintptr_t *place = places;
    if (!place || *place != 0 || !is_fit_for(queue, bytes) || queue->flags & SLOW_PATH_FLAGS)
        return enqueue_slowly(queue, message, bytes);
    name_queue(place, queue->queue);
    if (__builtin_expect(is_destroyed(queue), 0)) {
        clear_name(place);
        return enqueue_slowly(queue, message, bytes);
    }
    struct skerry_queue *there = (struct skerry_queue *)skerry_global(queue->queue, queue->segment.owner);
    skerry_word ticket = skerry_atomic_count(&there->tail, 1, queue->segment.owner);
    struct skerry_queue_slot *slot =
        (struct skerry_queue_slot *)(void *)(there->memory + (size_t)(ticket & queue->mask) * queue->slot_bytes);
    if (__builtin_expect(ticket - SKERRY_LOAD_ACQUIRE(&queue->seen) >= queue->capacity ||
                             !skerry_copy_short(slot->message, message, bytes),
                         0))
        return enqueue_ticket(queue, message, bytes, ticket);
    prefetch_next_line(queue, slot, ticket);
    skerry_store_release_pair(&slot->turn, (uint32_t)(ticket + 1), (uint32_t)bytes, queue->segment.owner);
    clear_name(places); // loads `places` again, so that no register is kept across the call that wakes the owner
    return AOS_SUCCESS;
}

#endif

int aos_try_enqueue(aos_queue_t *queue, const void *message, size_t bytes) {
    static const char routine[] = "aos_try_enqueue";
    if (!is_fit_for(queue, bytes)) return refuse_message(routine, queue, bytes);
#if SKERRY_FAR_WATCHES
    if (has_credits(queue, bytes) && skerry_aos_enqueue_with_credit(queue, message, bytes)) return AOS_SUCCESS;
#endif
#if SKERRY_FAR_MESSAGES
    if (queue->flags & SKERRY_AOS_FAR_QUEUE) return enqueue_far(routine, queue, message, bytes, false);
#endif
    uintptr_t *place = enter(queue->queue);
    int error = is_destroyed(queue) ? AOS_ERROR_GONE : enqueue_near(queue, message, bytes, false);
    leave(place);
    if (error == AOS_ERROR_FULL) skerry_poll_again();
    return report_if_gone(routine, queue, error, bytes);
}

// -- Dequeue -----------------------------------------------------------------------------------------------------------

static int refuse_reader(const char *routine, const aos_queue_t *queue) {
    if (is_fit_for(queue, 0) && queue->segment.creator == skerry_my_pe() && !is_destroyed(queue)) return AOS_SUCCESS;
    int error = refuse_message(routine, queue, 0);
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
