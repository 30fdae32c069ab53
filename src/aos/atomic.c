// SPDX-License-Identifier: BSD-3-Clause
// Atomics that the header does not do itself: on private memory, with a condition, and wrong ones.
#include "internal.h"

#define SKERRY_AOS_SYMBOLS
#include "api.h"
#include "atomic.h"

static int check_word(const aos_segment_t *segment, uint64_t offset) {
    if (segment->bytes < 8 || offset > segment->bytes - 8) return AOS_ERROR_BOUNDS;
    return ((uint64_t)(uintptr_t)segment->base + offset) & 7 ? AOS_ERROR_ALIGNMENT : AOS_SUCCESS;
}

static bool has_answer(uint32_t operation) {
    return operation >= SKERRY_AOS_PEEK;
}

#if SKERRY_PRIVATE_MEMORY

static int ask(const struct skerry_aos_way *way, uint32_t waiting, struct skerry_aos_request *request, int64_t *result,
               aos_event_t *event) {
    if (!has_answer(request->operation)) {
        skerry_aos_mark(skerry_aos.area->asked, way->owner);
        return skerry_aos_ask(request, way->owner, waiting) ? AOS_SUCCESS : AOS_ERROR_GONE;
    }
    aos_event_t own;
    aos_event_t *until = event ? event : &own;
    request->reply = skerry_aos_take_reply(way->owner, true, &request->sequence);
    if (!request->reply) return AOS_ERROR_MEMORY;
    skerry_aos_expect(until, request->reply, request->sequence, result);
    bool asked =
        event ? skerry_aos_ask(request, way->owner, waiting) : skerry_aos_ask_awaited(request, way->owner, waiting);
    if (!asked) {
        skerry_aos_collect(until);
        return AOS_ERROR_GONE;
    }
    return event ? AOS_SUCCESS : skerry_aos_await(until, way->owner);
}

static int ask_owner(const struct skerry_aos_way *way, uint32_t waiting, enum skerry_aos_operation operation,
                     int64_t value, int64_t expected, int64_t *result, aos_event_t *event) {
    struct skerry_aos_request request = {.kind = SKERRY_AOS_DO,
                                         .operation = operation,
                                         .initiator = skerry_my_pe(),
                                         .address = way->address,
                                         .value = value,
                                         .expected = expected};
    return ask(way, waiting, &request, result, event);
}

#else

static int ask_owner(const struct skerry_aos_way *way, uint32_t waiting, enum skerry_aos_operation operation,
                     int64_t value, int64_t expected, int64_t *result, aos_event_t *event) {
    (void)way, (void)waiting, (void)operation, (void)value, (void)expected, (void)result, (void)event;
    return AOS_ERROR_FAULT;
}

#endif

static int do_here(const struct skerry_aos_way *way, uint32_t operation, int64_t value, int64_t expected,
                   int64_t *result) {
    struct skerry_aos_place place = {way->address, way->owner, way->how == SKERRY_AOS_OWN};
    int64_t before;
    skerry_aos_modify(&place, operation, value, expected, 0, 0, &before);
    if (result) *result = before;
    if (SKERRY_LOAD_ACQUIRE(&skerry_aos_area(way->owner)->parked_count) != 0) skerry_aos_run_parked(way->owner);
    return AOS_SUCCESS;
}

int skerry_aos_atomic(const char *routine, const aos_segment_t *segment, uint64_t offset,
                      enum skerry_aos_operation operation, int64_t value, int64_t expected, int64_t *result,
                      aos_event_t *event) {
    int error = skerry_aos_usable(segment, AOS_ATOMIC);
    if (!error) error = check_word(segment, offset);
    if (error) return skerry_aos_refuse(routine, error, segment, offset, 8);
    struct skerry_aos_way way = skerry_aos_locate(segment, offset, 8);
    if (way.how != SKERRY_AOS_FAR) {
        skerry_aos_happened(event);
        return do_here(&way, operation, value, expected, result);
    }
    error = ask_owner(&way, segment->waiting, operation, value, expected, result, event);
    return error ? skerry_aos_refuse(routine, error, segment, offset, 8) : error;
}

static int check_when(const aos_segment_t *segment, const aos_condition_t *when) {
    if (!when || when->condition < AOS_ALWAYS || when->condition > AOS_GREATER_EQUAL) return AOS_ERROR_ARGUMENT;
    return check_word(segment, when->offset);
}

// Every PE can do it.
static bool is_anyones(const struct skerry_aos_way *way) {
    return way->how == SKERRY_AOS_NEAR || way->how == SKERRY_AOS_OUTSIDE;
}

static int park(const aos_segment_t *segment, struct skerry_aos_parked *wanted, const struct skerry_aos_way *way,
                int64_t *result, aos_event_t *event) {
    bool answered = has_answer(wanted->operation);
    if (!answered && !event) return skerry_aos_park(wanted, way->owner, segment->waiting);
    aos_event_t own;
    aos_event_t *until = event ? event : &own;
    wanted->reply = skerry_aos_take_reply(way->owner, way->how == SKERRY_AOS_FAR, &wanted->sequence);
    if (!wanted->reply) return AOS_ERROR_MEMORY;
    skerry_aos_expect(until, wanted->reply, wanted->sequence, result);
    // Whoever changes the words rings their owner's bell, and looks; who waits for them may as well.
    if (is_anyones(way)) until->owner = way->owner;
    int error = skerry_aos_park(wanted, way->owner, segment->waiting);
    if (error) skerry_aos_collect(until);
    return error || event ? error : aos_event_wait(until);
}

int skerry_aos_atomic_when(const char *routine, const aos_segment_t *segment, uint64_t offset,
                           enum skerry_aos_operation operation, int64_t value, int64_t expected,
                           const aos_condition_t *when, int64_t *result, aos_event_t *event) {
    int error = skerry_aos_usable(segment, AOS_ATOMIC | AOS_CONDITIONAL);
    if (!error) error = check_word(segment, offset);
    if (!error) error = check_when(segment, when);
    if (error) return skerry_aos_refuse(routine, error, segment, offset, 8);
    struct skerry_aos_way way = skerry_aos_locate(segment, offset, 8);
    struct skerry_aos_way watched = skerry_aos_locate(segment, when->offset, 8);
    if (is_anyones(&way)) way.how = watched.how; // who reaches both does it
#if !SKERRY_PRIVATE_MEMORY
    if (way.how == SKERRY_AOS_FAR) return AOS_ERROR_FAULT;
#endif
    struct skerry_aos_parked wanted = {.operation = operation,
                                       .initiator = skerry_my_pe(),
                                       .reference = skerry_aos_reference(segment->entry),
                                       .word = way.address,
                                       .watched = watched.address,
                                       .value = value,
                                       .expected = expected,
                                       .compared = when->value,
                                       .condition = when->condition,
                                       .is_private = !is_anyones(&way)};
    error = park(segment, &wanted, &way, result, event);
    return error ? skerry_aos_refuse(routine, error, segment, offset, 8) : error;
}
