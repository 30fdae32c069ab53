// SPDX-License-Identifier: BSD-3-Clause
// Enqueues to remote queues, by the functions of src/primitive/queue.h. A queue lies in memory of its owner that every PE
// reaches. PEs find the queue by a number, as they find a segment. The size of a message in bytes is in the note (a word) of
// the message's slot. dequeue.c has the readers.
#include "credits.h"
#include "queue_internal.h"

#define SKERRY_AOS_SYMBOLS
#include "api.h"
#include "queue.h"

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

int skerry_aos_refuse_message(const char *routine, const aos_queue_t *queue, size_t bytes) {
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
    int error = skerry_aos_refuse_message(routine, queue, bytes);
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
    if (!is_fit_for(queue, bytes)) return skerry_aos_refuse_message(routine, queue, bytes);
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
    if (!is_fit_for(queue, bytes)) return skerry_aos_refuse_message(routine, queue, bytes);
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
