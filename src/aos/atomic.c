// SPDX-License-Identifier: BSD-3-Clause
// Executes conditional atomics: atomics that wait until a word satisfies a condition. Also defines the library's
// functions for all atomics. A conditional atomic is appended to a list of the PE that owns the words (deferred.c).
// After this the caller polls that list. So the atomic is done at once if its condition holds already and this PE can
// access the words.
#define SKERRY_AOS_HAS_DEFERRED
#include "internal.h"

#define SKERRY_AOS_SYMBOLS
#include "api.h"
#include "atomic.h"

static int check_when(const char *routine, const aos_segment_t *segment, const aos_condition_t *when) {
    if (!when) return skerry_aos_refuse_argument(routine, "when: must not be NULL", 0, 0);
    if (when->condition < AOS_ALWAYS || when->condition > AOS_GREATER_EQUAL)
        return skerry_aos_refuse_argument(routine,
                                          "when: condition #: must be one of AOS_ALWAYS (#) to AOS_GREATER_EQUAL (#)",
                                          (long[]){when->condition, AOS_ALWAYS, AOS_GREATER_EQUAL}, 3);
    return skerry_aos_check_word(segment, when->offset);
}

// Returns true if every PE of the owner's node accesses the memory by its own loads and stores. In this case any PE of
// that node can do an operation on the memory. SKERRY_AOS_REMOTE is such memory on another node, and SKERRY_AOS_OUTSIDE
// is memory that no PE owns.
static bool is_anyones(const struct skerry_aos_way *way) {
    if (SKERRY_FAR_MESSAGES && way->how == SKERRY_AOS_REMOTE) return true;
    return way->how == SKERRY_AOS_NEAR || way->how == SKERRY_AOS_OUTSIDE;
}

static uint64_t reference_of(const aos_segment_t *segment) {
#if SKERRY_FAR_MESSAGES
    if (SKERRY_AOS_IS_FAR(segment->creator)) return skerry_aos_reference_of(segment);
#endif
    return skerry_aos_reference(segment->entry);
}

static int defer(const aos_segment_t *segment, struct skerry_aos_deferred *wanted, const struct skerry_aos_way *way,
                 int64_t *result, aos_event_t *event) {
    bool answered = skerry_aos_has_answer(wanted->operation);
    if (!answered && !event) return skerry_aos_defer(wanted, way->owner, segment->waiting);
    aos_event_t own;
    aos_event_t *until = event ? event : &own;
    wanted->reply = skerry_aos_take_reply(way->owner, way->how == SKERRY_AOS_FAR, &wanted->sequence);
    if (!wanted->reply) return AOS_ERROR_MEMORY;
    skerry_aos_expect(until, wanted->reply, wanted->sequence, result);
    // The waiting PE sleeps at the eventcount (the place to sleep) of the PE that owns the words. A PE that changes
    // these words notifies that eventcount. The waiting PE also polls the owner's list of conditional atomics (event.c,
    // poll_for). If the owner is on another node, the waiting PE sleeps at its own eventcount. The reason: the answer
    // is stored in its own memory.
    if (is_anyones(way) && !SKERRY_AOS_IS_FAR(way->owner)) until->owner = way->owner;
    int error = skerry_aos_defer(wanted, way->owner, segment->waiting);
    if (error) skerry_aos_collect(until);
    return error || event ? error : aos_event_wait(until);
}

int skerry_aos_atomic_when(const char *routine, const aos_segment_t *segment, uint64_t offset,
                           enum skerry_aos_operation operation, int64_t value, int64_t expected,
                           const aos_condition_t *when, int64_t *result, aos_event_t *event) {
    int error = skerry_aos_usable(segment, AOS_ATOMIC | AOS_CONDITIONAL);
    if (!error) error = skerry_aos_check_word(segment, offset);
    if (error) return skerry_aos_refuse(routine, error, segment, offset, 8);
    error = check_when(routine, segment, when);
    if (error) return error == AOS_ERROR_ARGUMENT ? error : skerry_aos_refuse(routine, error, segment, when->offset, 8);
    struct skerry_aos_way way = skerry_aos_locate(segment, offset, 8);
    struct skerry_aos_way watched = skerry_aos_locate(segment, when->offset, 8);
    skerry_aos_order_private_puts(way.owner, segment->waiting);
#if SKERRY_FAR_MESSAGES
    skerry_far_order_begun_puts(); // a PE that sees the atomic also sees this PE's earlier puts
#endif
    if (is_anyones(&way)) way.how = watched.how; // the operation needs a PE that reaches both words
#if !SKERRY_PRIVATE_MEMORY
    if (way.how == SKERRY_AOS_FAR) return AOS_ERROR_FAULT;
#endif
    struct skerry_aos_deferred wanted = {.operation = operation,
                                         .initiator = skerry_my_pe(),
                                         .reference = reference_of(segment),
                                         .word = way.address,
                                         .watched = watched.address,
                                         .value = value,
                                         .expected = expected,
                                         .compared = when->value,
                                         .condition = when->condition,
                                         .is_private = is_anyones(&way) ? 0 : SKERRY_AOS_UNSEEN};
    error = defer(segment, &wanted, &way, result, event);
    return error ? skerry_aos_refuse(routine, error, segment, offset, 8) : error;
}
