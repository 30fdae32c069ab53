// SPDX-License-Identifier: BSD-3-Clause
// Begins puts and gets of segments of PEs of other nodes that have an event: they go on behind the program. A transfer has
// one or more parts, which the machine moves (skerry_far_begin_put). The reply of the transfer counts the parts that have
// not ended.
#include "internal.h"

#if SKERRY_FAR_MESSAGES

#if SKERRY_FAR_WATCHES

#define LOCK(area) skerry_aos_lock_own(area)
#define UNLOCK(area) skerry_aos_unlock_own(area)

// Makes the event of a transfer happen. A 64-bit atomic operation would take a lock.
static inline void end(struct skerry_aos_reply *reply) {
    const uint64_t sequence = reply->sequence;
    skerry_store_release_pair((uint32_t *)(void *)&reply->done, (uint32_t)sequence, (uint32_t)(sequence >> 32),
                              skerry_my_pe());
}

#else

#define LOCK(area) skerry_aos_lock_at_once(&(area)->own_lock, skerry_my_pe())
#define UNLOCK(area) skerry_aos_unlock(&(area)->own_lock, skerry_my_pe())

static inline void end(struct skerry_aos_reply *reply) {
    skerry_atomic_store_64(&reply->done, reply->sequence, skerry_my_pe());
}

#endif

// Makes the events happen of the puts at the begin of the list that have ended (reply.c). After the store to `done` another
// thread can take the reply for another operation, but only under the lock.
static void end_puts(struct skerry_aos_reply *ended) {
    struct skerry_aos_area *area = skerry_aos.area;
    LOCK(area);
    ended->parts_ended = true;
    while (area->put_first && area->replies[area->put_first - 1].parts_ended) {
        struct skerry_aos_reply *reply = &area->replies[area->put_first - 1];
        __atomic_store_n(&area->put_first, reply->next_put, __ATOMIC_RELAXED);
        end(reply);
    }
    UNLOCK(area);
}

// Called when a part of a transfer has ended, in any thread of this process. The thread that ends the last part makes
// the event happen: it stores the sequence number of the transfer's reply. The decrement is a release and an acquire.
// So the thread that waits for the event sees the data of all parts.
void skerry_aos_end_part(void *given) {
    struct skerry_aos_reply *reply = given;
    if (__atomic_sub_fetch(&reply->parts, 1, __ATOMIC_ACQ_REL) > 0) return;
    if (reply->change) skerry_aos_far_changed(reply->at, reply->change == SKERRY_AOS_PRIVATE_CHANGE);
    if (reply->is_put) end_puts(reply);
    else end(reply);
}

// are_planes returns true if the blocks of each plane of a shape are one part. Otherwise each block is a part. begin_plane
// begins such a part.
#if SKERRY_FAR_BLOCKS_MIN

static inline bool are_planes(const struct skerry_aos_shape *shape) {
    return shape->lines >= SKERRY_FAR_BLOCKS_MIN;
}

static void begin_plane(uintptr_t local, uintptr_t remote, const struct skerry_aos_shape *shape, int pe, bool put,
                        struct skerry_aos_reply *reply) {
    if (put)
        skerry_far_begin_put_strided((void *)remote, (void *)local, shape->remote_line, shape->local_line, shape->bytes,
                                     shape->lines, pe, skerry_aos_end_part, reply);
    else
        skerry_far_begin_get_strided((void *)local, (void *)remote, shape->local_line, shape->remote_line, shape->bytes,
                                     shape->lines, pe, skerry_aos_end_part, reply);
}

#else

static inline bool are_planes(const struct skerry_aos_shape *shape) {
    (void)shape;
    return false;
}

static void begin_plane(uintptr_t local, uintptr_t remote, const struct skerry_aos_shape *shape, int pe, bool put,
                        struct skerry_aos_reply *reply) {
    (void)local, (void)remote, (void)shape, (void)pe, (void)put, (void)reply;
}

#endif

static void begin_blocks(uintptr_t local, uintptr_t remote, const struct skerry_aos_shape *shape, int pe, bool put,
                         struct skerry_aos_reply *reply) {
    for (uintptr_t left = shape->lines; left > 0; left--) {
        if (put) skerry_far_begin_put((void *)remote, (void *)local, shape->bytes, pe, skerry_aos_end_part, reply);
        else skerry_far_begin_get((void *)local, (void *)remote, shape->bytes, pe, skerry_aos_end_part, reply);
        local += (uintptr_t)shape->local_line;
        remote += (uintptr_t)shape->remote_line;
    }
}

uint8_t skerry_aos_change_of(const aos_segment_t *segment) {
    if (SKERRY_FAR_WATCHES || !(segment->protocols & AOS_CONDITIONAL)) return SKERRY_AOS_NO_CHANGE;
    return segment->is_far ? SKERRY_AOS_CHANGE : SKERRY_AOS_PRIVATE_CHANGE;
}

// Returns true if the machine copies the blocks of a put anyway before it returns, or if the work for an event takes longer
// than the put.
static inline bool is_copied(const struct skerry_aos_shape *shape) {
    if (shape->bytes > SKERRY_FAR_COPIED_MAX) return false;
    return !are_planes(shape) || shape->bytes * shape->lines <= SKERRY_FAR_COPIED_BLOCKS_MAX;
}

bool skerry_aos_begin_far(uintptr_t local, const aos_segment_t *segment, uintptr_t remote,
                          const struct skerry_aos_shape *shape, bool put, aos_event_t *event) {
    if (!event) return false;
    if (put && is_copied(shape) && __atomic_load_n(&skerry_aos.area->put_first, __ATOMIC_RELAXED) == 0) return false;
    uint64_t sequence;
    const int pe = segment->owner;
    const skerry_word parts = (skerry_word)(are_planes(shape) ? shape->planes : shape->planes * shape->lines);
    const uint8_t change = put ? skerry_aos_change_of(segment) : SKERRY_AOS_NO_CHANGE;
    const uint32_t number = skerry_aos_take_reply_of_transfer(pe, put, parts, change, &sequence);
    if (!number) {
        if (put) skerry_far_order_begun_puts();
        return false;
    }
    struct skerry_aos_reply *reply = &skerry_aos.area->replies[number - 1];
    skerry_aos_expect(event, number, sequence, 0);
    for (uintptr_t left = shape->planes; left > 0; left--) {
        if (are_planes(shape)) begin_plane(local, remote, shape, pe, put, reply);
        else begin_blocks(local, remote, shape, pe, put, reply);
        local += (uintptr_t)shape->local_plane;
        remote += (uintptr_t)shape->remote_plane;
    }
    return true;
}

#if SKERRY_FAR_WATCHES

// -- One range ---------------------------------------------------------------------------------------------------------

// Bytes below which a get is done before aos_get returns. Up to this size it takes less time than the work for an event.
#define GET_AT_ONCE 512

// Does a transfer of any segment.
static __attribute__((noinline)) int move_line(uintptr_t local, const aos_segment_t *segment, uint64_t offset,
                                               size_t bytes, bool put, aos_event_t *event) {
    const struct skerry_aos_shape shape = skerry_aos_line(bytes);
    if (put) return skerry_aos_put("aos_put", (const void *)local, segment, offset, &shape, event);
    return skerry_aos_get("aos_get", (void *)local, segment, offset, &shape, event);
}

// Begins a simple transfer, as skerry_aos_begin_far does.
static __attribute__((noinline)) int begin_line(uintptr_t local, const aos_segment_t *segment, uint32_t offset,
                                                size_t bytes, bool put, aos_event_t *event) {
    uint64_t sequence;
    const int pe = segment->owner;
    const uint32_t number = skerry_aos_take_reply_of_transfer(pe, put, 1, SKERRY_AOS_NO_CHANGE, &sequence);
    if (!number) return move_line(local, segment, offset, bytes, put, event);
    struct skerry_aos_reply *const reply = &skerry_aos.area->replies[number - 1];
    char *const remote = (char *)segment->base + offset;
    skerry_aos_expect(event, number, sequence, 0);
    if (put) skerry_far_begin_put(remote, (const void *)local, bytes, pe, skerry_aos_end_part, reply);
    else skerry_far_begin_get((void *)local, remote, bytes, pe, skerry_aos_end_part, reply);
    return AOS_SUCCESS;
}

int skerry_aos_put_far(const void *local, const aos_segment_t *segment, uint64_t offset, size_t bytes,
                       aos_event_t *event) {
    if (!skerry_aos_is_simple(segment, offset, bytes, AOS_PUT_GET))
        return move_line((uintptr_t)local, segment, offset, bytes, true, event);
    if (event && (bytes > SKERRY_FAR_COPIED_MAX || SKERRY_LOAD_ACQUIRE(&skerry_aos.area->put_first) != 0))
        return begin_line((uintptr_t)local, segment, (uint32_t)offset, bytes, true, event);
    skerry_put(segment->base + (uint32_t)offset, local, bytes, segment->owner);
    skerry_aos_happened(event);
    return AOS_SUCCESS;
}

int skerry_aos_get_far(void *local, const aos_segment_t *segment, uint64_t offset, size_t bytes, aos_event_t *event) {
    if (!skerry_aos_is_simple(segment, offset, bytes, AOS_PUT_GET))
        return move_line((uintptr_t)local, segment, offset, bytes, false, event);
    if (event && bytes >= GET_AT_ONCE)
        return begin_line((uintptr_t)local, segment, (uint32_t)offset, bytes, false, event);
    skerry_get(local, segment->base + (uint32_t)offset, bytes, segment->owner);
    skerry_aos_happened(event);
    return AOS_SUCCESS;
}

#endif
#endif
