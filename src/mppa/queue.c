// SPDX-License-Identifier: BSD-3-Clause
// Implements queues. A message arrives in a slot of the library's queue. The dequeue copies the message to the memory
// that the program gave for the queue. Programs for MPPA expect the message there.
#include "internal.h"

static aos_queue_t *queue_of(const mppa_async_segment_t *segment) {
    return (aos_queue_t *)(uintptr_t)&segment->reached.queue; // casts const away: only the library uses this field
}

// Returns false if the owner's program has ended on a machine where its memory stays, so that a message would be lost.
static bool has_owner(const mppa_async_segment_t *segment) {
#if SKERRY_PRIVATE_MEMORY
    const int pe = skerry_mppa_pe_of(segment->server);
    return pe == SKERRY_MPPA_MASTER || (skerry_programs_running() >> pe & 1) != 0;
#else
    (void)segment;
    return true;
#endif
}

// Stops the job if the owner's program has ended or is ending, as a put does.
static void check_owner(const mppa_async_segment_t *segment) {
#if SKERRY_FAR_WATCHES
    const int pe = skerry_mppa_pe_of(segment->server);
    const uint32_t ending = skerry_atomic_load_32(&skerry_mppa_board()->ending, SKERRY_MPPA_MASTER);
    if (skerry_far_is_running(pe) && !(ending >> pe & 1)) return;
    skerry_fail_values("mppa_async_enqueue", "server #: the program there, which owns the queue, has ended",
                       (long[]){(long)segment->server}, 1);
#else
    (void)segment;
#endif
}

int mppa_async_enqueue(const mppa_async_segment_t *segment, const void *message, size_t size, unsigned flags,
                       mppa_async_event_t *event) {
    (void)flags;
    skerry_mppa_check_begun(__func__);
    if (!segment || !segment->is_queue || !message) return -1;
    if (!has_owner(segment)) return -1;
    int result = aos_enqueue(queue_of(segment), message, size);
    if (result == AOS_ERROR_GONE) check_owner(segment);
    return result == AOS_SUCCESS ? skerry_mppa_done(event) : -1;
}

// Copies the oldest message to the memory that the program gave for the queue. Sets *buffer to the address of this
// memory. If the queue has no message and `wait` is true, waits for a message. If the queue has no message and `wait`
// is false, returns AOS_ERROR_EMPTY. If `size` is 0, the message stays in the queue as the oldest message.
static int take(const mppa_async_segment_t *segment, size_t size, void **buffer, bool wait) {
    aos_queue_t *queue = queue_of(segment);
    aos_message_t message;
    int result = wait ? aos_dequeue_begin(queue, &message) : aos_try_dequeue_begin(queue, &message);
    if (result != AOS_SUCCESS) return result;
    skerry_copy(segment->phys_base, message.data, message.bytes);
    *buffer = segment->phys_base;
    return size > 0 ? aos_dequeue_end(queue, &message) : AOS_SUCCESS;
}

static int finish_dequeue(mppa_async_event_t *event, bool wait) {
    int result = take(event->queue, event->size, event->buffer, wait);
    if (result != AOS_ERROR_EMPTY) skerry_mppa_done(event);
    return result;
}

int mppa_async_dequeue(const mppa_async_segment_t *segment, size_t size, void **buffer, mppa_async_event_t *event) {
    skerry_mppa_check_begun(__func__);
    if (!segment || !segment->is_queue || !buffer) return -1;
    if (!segment->is_own)
        skerry_fail(__func__, "the queue was created by another program: only its creator may dequeue");
    if (!event) {
        skerry_mppa_begin_master_wait(SKERRY_MPPA_ANYTHING);
        const int result = take(segment, size, buffer, true);
        skerry_mppa_end_master_wait();
        return skerry_mppa_result(result);
    }
    // Relaxed: all threads store the same pointer, and a thread that waits for this event has it by the same way as the event.
    __atomic_store_n(&skerry_mppa_finish, finish_dequeue, __ATOMIC_RELAXED);
    *event = (mppa_async_event_t){.queue = segment, .buffer = buffer, .size = size};
    return 0;
}

int mppa_async_discard(const mppa_async_segment_t *segment, size_t size) {
    (void)size;
    skerry_mppa_check_begun(__func__);
    if (!segment || !segment->is_queue || !segment->is_own) return -1;
    aos_message_t message;
    int result = aos_try_dequeue_begin(queue_of(segment), &message);
    return skerry_mppa_result(result == AOS_SUCCESS ? aos_dequeue_end(queue_of(segment), &message) : result);
}
