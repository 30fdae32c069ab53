// SPDX-License-Identifier: BSD-3-Clause
// Executes unconditional atomics that the inlined functions of atomic.h do not handle: atomics on private memory,
// atomics on memory that no PE owns, and calls with wrong arguments.
#include "internal.h"

int skerry_aos_check_word(const aos_segment_t *segment, uint64_t offset) {
    if (segment->bytes < 8 || offset > segment->bytes - 8) return AOS_ERROR_BOUNDS;
    return ((uint64_t)(uintptr_t)segment->base + offset) & 7 ? AOS_ERROR_ALIGNMENT : AOS_SUCCESS;
}

#if SKERRY_PRIVATE_MEMORY

static int send_request(const struct skerry_aos_way *way, uint32_t waiting, struct skerry_aos_request *request,
                        int64_t *result, aos_event_t *event) {
    if (!skerry_aos_has_answer(request->operation)) {
        skerry_aos_mark(skerry_aos.area->posted_to, way->owner);
        return skerry_aos_send_request(request, way->owner, waiting) ? AOS_SUCCESS : AOS_ERROR_GONE;
    }
    aos_event_t own;
    aos_event_t *until = event ? event : &own;
    request->reply = skerry_aos_take_reply(way->owner, true, &request->sequence);
    if (!request->reply) return AOS_ERROR_MEMORY;
    skerry_aos_expect(until, request->reply, request->sequence, result);
    bool is_sent = event ? skerry_aos_send_request(request, way->owner, waiting)
                         : skerry_aos_send_awaited_request(request, way->owner, waiting);
    if (!is_sent) {
        skerry_aos_collect(until);
        return AOS_ERROR_GONE;
    }
    return event ? AOS_SUCCESS : skerry_aos_await(until, way->owner);
}

static int ask_owner(const aos_segment_t *segment, const struct skerry_aos_way *way,
                     enum skerry_aos_operation operation, int64_t value, int64_t expected, int64_t *result,
                     aos_event_t *event) {
    struct skerry_aos_request request = {.kind = SKERRY_AOS_DO,
                                         .operation = operation,
                                         .initiator = skerry_my_pe(),
                                         .address = way->address,
                                         .value = value,
                                         .expected = expected};
#if SKERRY_FAR_MESSAGES
    if (SKERRY_AOS_IS_FAR(way->owner)) request.reference = skerry_aos_reference_of(segment);
#endif
    return send_request(way, segment->waiting, &request, result, event);
}

#else

static int ask_owner(const aos_segment_t *segment, const struct skerry_aos_way *way,
                     enum skerry_aos_operation operation, int64_t value, int64_t expected, int64_t *result,
                     aos_event_t *event) {
    (void)segment, (void)way, (void)operation, (void)value, (void)expected, (void)result, (void)event;
    return AOS_ERROR_FAULT;
}

#endif

static int do_here(const struct skerry_aos_way *way, uint32_t operation, int64_t value, int64_t expected,
                   int64_t *result) {
    struct skerry_aos_place place = {way->address, way->owner, way->how == SKERRY_AOS_OWN};
    int64_t before;
    skerry_aos_modify(&place, operation, value, expected, 0, 0, &before);
    if (result) *result = before;
    if (skerry_aos_has_any_deferred(way->owner)) skerry_aos_run_deferred(way->owner);
    return AOS_SUCCESS;
}

#if SKERRY_FAR_WATCHES

static bool is_simple_word(const aos_segment_t *segment, uint64_t offset) {
    return ((uintptr_t)segment->base + (uint32_t)offset) % 8 == 0 &&
           skerry_aos_is_simple(segment, offset, 8, AOS_ATOMIC);
}

int skerry_aos_post_far(const char *routine, const aos_segment_t *segment, uint64_t offset,
                        enum skerry_aos_operation operation, int64_t value) {
    if (!is_simple_word(segment, offset)) return skerry_aos_atomic(routine, segment, offset, operation, value, 0, 0, 0);
    skerry_far_order_puts_of_others();
    skerry_aos_post_near((uint64_t *)(void *)(segment->base + (uint32_t)offset), operation, (uint64_t)value,
                         segment->owner);
    return AOS_SUCCESS;
}

int skerry_aos_fetch_far(const char *routine, const aos_segment_t *segment, uint64_t offset,
                         enum skerry_aos_operation operation, int64_t value, int64_t expected, int64_t *result,
                         aos_event_t *event) {
    if (!is_simple_word(segment, offset))
        return skerry_aos_atomic(routine, segment, offset, operation, value, expected, result, event);
    skerry_far_order_begun_puts();
    if (operation == SKERRY_AOS_FETCH_CLEAR) value = 0;
    *result = (int64_t)skerry_aos_fetch_near((uint64_t *)(void *)(segment->base + (uint32_t)offset), operation,
                                             (uint64_t)value, (uint64_t)expected, segment->owner);
    skerry_aos_happened(event);
    return AOS_SUCCESS;
}

#endif

SKERRY_AOS_REPLACEABLE int skerry_aos_atomic(const char *routine, const aos_segment_t *segment, uint64_t offset,
                                             enum skerry_aos_operation operation, int64_t value, int64_t expected,
                                             int64_t *result, aos_event_t *event) {
    int error = skerry_aos_usable(segment, AOS_ATOMIC);
    if (!error) error = skerry_aos_check_word(segment, offset);
    if (error) return skerry_aos_refuse(routine, error, segment, offset, 8);
    struct skerry_aos_way way = skerry_aos_locate(segment, offset, 8);
    skerry_aos_order_private_puts(way.owner, segment->waiting); // a PE that sees the atomic also sees these puts
    if (way.how == SKERRY_AOS_FAR) {
        error = ask_owner(segment, &way, operation, value, expected, result, event);
#if SKERRY_FAR_MESSAGES
    } else if (way.how == SKERRY_AOS_REMOTE) {
        // A PE that sees the atomic also sees this PE's earlier puts.
        skerry_far_order_begun_puts();
        skerry_aos_happened(event);
        error = skerry_aos_far_atomic(segment, &way, operation, value, expected, result);
#endif
    } else {
        skerry_aos_happened(event);
        error = do_here(&way, operation, value, expected, result);
    }
    return error ? skerry_aos_refuse(routine, error, segment, offset, 8) : error;
}

SKERRY_AOS_ORIGINAL(skerry_aos_atomic)
