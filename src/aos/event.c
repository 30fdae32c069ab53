// SPDX-License-Identifier: BSD-3-Clause
// Events. A wait looks, serves, and pauses on the bell of the PE in whose memory the word is: whoever changes the word by these
// routines, or by OpenSHMEM's, rings it, and the pause looks once more after it has said that it will sleep, so no wake-up is lost.
#include "internal.h"

#define SKERRY_AOS_SYMBOLS
#include "api.h"
#include "event.h"

_Static_assert(AOS_ALWAYS == (int)SKERRY_ALWAYS && AOS_EQUAL == (int)SKERRY_EQUAL &&
                   AOS_NOT_EQUAL == (int)SKERRY_NOT_EQUAL && AOS_LESS == (int)SKERRY_LESS &&
                   AOS_LESS_EQUAL == (int)SKERRY_LESS_EQUAL && AOS_GREATER == (int)SKERRY_GREATER &&
                   AOS_GREATER_EQUAL == (int)SKERRY_GREATER_EQUAL,
               "conditions have one numbering");

int aos_event_set(aos_event_t *event, const volatile int64_t *word, int condition, int64_t value) {
    if (!event || !word || condition < AOS_ALWAYS || condition > AOS_GREATER_EQUAL)
        return skerry_aos_refuse("aos_event_set", AOS_ERROR_ARGUMENT, 0, 0, 0);
    uint64_t global;
    int owner;
    bool is_global = skerry_aos_is_global(word, sizeof *word, &global, &owner);
    bool is_own = is_global && owner == skerry_my_pe() && skerry_is_symmetric(word, sizeof *word);
    *event = (aos_event_t){.word = is_own ? skerry_poll_address(word) : (const void *)(uintptr_t)word,
                           .value = value,
                           .condition = condition,
                           .owner = owner,
                           .bits = 64};
    return AOS_SUCCESS;
}

static bool has_happened(const aos_event_t *event) {
    if (!event->word) return true;
    int64_t word = event->bits == 64 ? SKERRY_LOAD_ACQUIRE((const int64_t *)event->word)
                                     : (int64_t)SKERRY_LOAD_ACQUIRE((const uint32_t *)event->word);
    return skerry_condition_holds(word, (enum skerry_condition)event->condition, event->value);
}

// The operation will never be done: the PE that was to do it has ended.
static bool is_gone(const aos_event_t *event) {
    if (!event->reply) return false;
    const struct skerry_aos_reply *reply = &skerry_aos.area->replies[event->reply - 1];
    return reply->served && !skerry_aos_is_up(reply->at);
}

// Conditional atomics that this event may wait for.
static void poll_for(const aos_event_t *event) {
    if (!skerry_aos_parks()) return;
    if (event->reply) skerry_aos_poll_parked(skerry_aos.area->replies[event->reply - 1].at);
    else if (event->word == &skerry_aos.area->outstanding) skerry_aos_poll_parked_everywhere();
    else if (event->owner != skerry_my_pe()) skerry_aos_poll_parked(event->owner);
}

static int end_of(aos_event_t *event, bool happened) {
    if (!event->word) return AOS_SUCCESS; // the other fields say nothing
    int error = event->reply ? skerry_aos_collect(event) : AOS_SUCCESS;
    return happened ? error : AOS_ERROR_GONE;
}

static bool look(aos_event_t *event) {
    if (has_happened(event)) return true;
    poll_for(event);
    return has_happened(event);
}

static int usable(const char *routine, const aos_event_t *event) {
    int error = skerry_aos.initializations == 0 ? AOS_ERROR_STATE : event ? AOS_SUCCESS : AOS_ERROR_ARGUMENT;
    return error ? skerry_aos_refuse(routine, error, 0, 0, 0) : AOS_SUCCESS;
}

int aos_event_wait(aos_event_t *event) {
    int error = usable("aos_event_wait", event);
    if (error) return error;
    bool happened = false;
    SKERRY_AOS_WAIT_UNTIL((happened = look(event)) || is_gone(event), event->owner, AOS_WAIT_DEFAULT);
    return end_of(event, happened || has_happened(event));
}

int aos_event_test(aos_event_t *event) {
    int error = usable("aos_event_test", event);
    if (error) return error;
    bool happened = look(event);
    if (!happened && skerry_aos_serve() > 0) happened = has_happened(event);
    if (!happened && !is_gone(event)) {
        skerry_look_again();
        return 0;
    }
    error = end_of(event, happened || has_happened(event));
    return error ? error : 1;
}

// -- Several -----------------------------------------------------------------------------------------------------------

// Index of one that has happened, or will never; `count`: none.
static size_t find(aos_event_t *const *events, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (events[i] && (look(events[i]) || is_gone(events[i]))) return i;
    return count;
}

// The bell to sleep on, when it is one for all; else -1.
static int common_owner(aos_event_t *const *events, size_t count, size_t *there) {
    int owner = -1;
    bool one = true;
    *there = 0;
    for (size_t i = 0; i < count; i++) {
        if (!events[i]) continue;
        if (!events[i]->word) { // it has happened: nobody will sleep
            *there = count;
            return -1;
        }
        if (++*there > 1 && events[i]->owner != owner) one = false;
        owner = events[i]->owner;
    }
    return one ? owner : -1;
}

int aos_event_wait_any(aos_event_t *const *events, size_t count, size_t *index) {
    int error = usable("aos_event_wait_any", count ? events[0] ? events[0] : &(aos_event_t){0} : 0);
    if (error) return error;
    size_t there, found = count;
    int owner = common_owner(events, count, &there);
    if (there == 0) return skerry_aos_refuse("aos_event_wait_any", AOS_ERROR_ARGUMENT, 0, 0, 0);
    // Words of several PEs: no bell tells of all of them, so it stays awake.
    SKERRY_AOS_WAIT_UNTIL((found = find(events, count)) < count, owner < 0 ? skerry_my_pe() : owner,
                          owner < 0 ? AOS_WAIT_SPIN : AOS_WAIT_DEFAULT);
    if (index) *index = found;
    return aos_event_wait(events[found]);
}

int aos_event_wait_all(aos_event_t *const *events, size_t count) {
    int error = AOS_SUCCESS;
    for (size_t i = 0; i < count; i++) {
        int each = events[i] ? aos_event_wait(events[i]) : AOS_SUCCESS;
        if (!error) error = each;
    }
    return error;
}

int aos_event_test_any(aos_event_t *const *events, size_t count, size_t *index) {
    for (size_t i = 0; i < count; i++) {
        int outcome = events[i] ? aos_event_test(events[i]) : 0;
        if (outcome && index) *index = i;
        if (outcome) return outcome;
    }
    return 0;
}

int aos_event_test_all(aos_event_t *const *events, size_t count) {
    for (size_t i = 0; i < count; i++) {
        int outcome = events[i] ? aos_event_test(events[i]) : 1;
        if (outcome != 1) return outcome;
    }
    return 1;
}
