// SPDX-License-Identifier: BSD-3-Clause
// Makes, waits for and tests events. A wait polls the event's word, and runs requests of other PEs between two polls.
// If the wait takes long, it sleeps at the eventcount (the place where waiters sleep) of the PE that owns the word.
// Routines of aos.h and of OpenSHMEM that change the word notify that eventcount. No wake-up is lost, because the wait
// polls once more after it has announced its sleep.
#include "internal.h"

#define SKERRY_AOS_SYMBOLS
#include "api.h"
#include "event.h"

_Static_assert(AOS_ALWAYS == (int)SKERRY_ALWAYS && AOS_EQUAL == (int)SKERRY_EQUAL &&
                   AOS_NOT_EQUAL == (int)SKERRY_NOT_EQUAL && AOS_LESS == (int)SKERRY_LESS &&
                   AOS_LESS_EQUAL == (int)SKERRY_LESS_EQUAL && AOS_GREATER == (int)SKERRY_GREATER &&
                   AOS_GREATER_EQUAL == (int)SKERRY_GREATER_EQUAL,
               "the constants AOS_* and SKERRY_* of a condition are equal");

// Returns true if this PE can load from the word. Always true on a machine without private memory.
static bool is_readable(const volatile void *word, size_t bytes) {
#if SKERRY_PRIVATE_MEMORY
    return skerry_is_readable((const void *)(uintptr_t)word, bytes);
#else
    (void)word, (void)bytes;
    return true;
#endif
}

static bool is_condition(int condition) {
    return condition >= AOS_ALWAYS && condition <= AOS_GREATER_EQUAL;
}

static int check_set(const aos_event_t *event, const volatile int64_t *word, int condition) {
    static const char routine[] = "aos_event_set";
    long at = (long)(uintptr_t)word;
    if (!event) return skerry_aos_refuse_argument(routine, "event: must not be NULL", 0, 0);
    if (!word) return skerry_aos_refuse_argument(routine, "word: must not be NULL", 0, 0);
    if (at & 7) return skerry_aos_refuse_argument(routine, "word @: must be aligned to 8 bytes", (long[]){at}, 1);
    if (skerry_checking && !is_readable(word, sizeof *word))
        return skerry_aos_refuse_argument(routine, "word @: must be memory that this PE can load from", (long[]){at},
                                          1);
    if (is_condition(condition)) return AOS_SUCCESS;
    return skerry_aos_refuse_argument(routine, "condition #: must be one of AOS_ALWAYS (#) to AOS_GREATER_EQUAL (#)",
                                      (long[]){condition, AOS_ALWAYS, AOS_GREATER_EQUAL}, 3);
}

int aos_event_set(aos_event_t *event, const volatile int64_t *word, int condition, int64_t value) {
    int error = check_set(event, word, condition);
    if (error) return error;
    uint64_t global;
    int owner;
    bool is_global = skerry_aos_is_global(word, sizeof *word, &global, &owner);
    if (SKERRY_AOS_IS_FAR(owner))
        return skerry_aos_refuse_argument("aos_event_set", "word @: must be memory that this PE can load from",
                                          (long[]){(long)(uintptr_t)word}, 1);
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

#if SKERRY_FAR_MESSAGES

// Returns true if PE `reply->at` of another node has ended. The test sends a message to that PE's node, so it is made
// at most once in a millisecond. A call within a millisecond after the last test returns false.
static bool is_far_gone(struct skerry_aos_reply *reply) {
    return skerry_aos_is_time_to_ask(&reply->last_asked) && !skerry_aos_is_up(reply->at);
}

// Makes the node of PE `reply->at` poll that PE's list of deferred atomics (conditional atomics that wait). Does so at
// most once in a millisecond. Routines of aos.h poll that list after each change of a word. This additional poll finds
// changes by other means, for example by plain stores.
static void poll_far(struct skerry_aos_reply *reply) {
    if (reply->served || reply->is_transfer) return;
    if (skerry_aos_is_time_to_ask(&reply->last_asked)) skerry_aos_far_changed(reply->at, false);
}

#endif

// Returns true if the event's operation will never be done, because the PE that must do it has ended. `reply->at` is
// the PE in whose memory the operation is done. `reply->served` is true if that PE itself must do the operation.
static bool is_gone(const aos_event_t *event) {
    if (!event->reply) return false;
    struct skerry_aos_reply *reply = &skerry_aos.area->replies[event->reply - 1];
#if SKERRY_FAR_MESSAGES
    if (SKERRY_AOS_IS_FAR(reply->at)) return reply->served && is_far_gone(reply);
#endif
    return reply->served && !skerry_aos_is_up(reply->at);
}

// Polls the lists of deferred atomics (conditional atomics that wait for their condition) that can contain the event's
// atomic.
static void poll_for(const aos_event_t *event) {
    if (!skerry_aos_can_defer()) return;
#if SKERRY_FAR_MESSAGES
    if (event->reply && SKERRY_AOS_IS_FAR(skerry_aos.area->replies[event->reply - 1].at)) {
        poll_far(&skerry_aos.area->replies[event->reply - 1]);
        return;
    }
#endif
    if (event->reply) skerry_aos_poll_deferred(skerry_aos.area->replies[event->reply - 1].at);
    else if (event->word == &skerry_aos.area->outstanding) skerry_aos_poll_deferred_everywhere();
    else if (event->owner != skerry_my_pe()) skerry_aos_poll_deferred(event->owner);
}

static int end_of(aos_event_t *event, bool happened) {
    if (!event->word) return AOS_SUCCESS; // the other fields are valid only if `word` is not NULL
    int error = event->reply ? skerry_aos_collect(event) : AOS_SUCCESS;
    return happened ? error : AOS_ERROR_GONE;
}

static bool poll_event(aos_event_t *event) {
    if (has_happened(event)) return true;
    poll_for(event);
    return has_happened(event);
}

// Returns true if the event's fields are consistent, so that it is safe to use its pointers. The fields of an event
// that no routine has made are random bytes. Such bytes are consistent only by chance, so the result is almost always
// false.
static bool is_event(const aos_event_t *event) {
    if (!event->word) return true;
    uintptr_t at = (uintptr_t)event->word;
    bool right = (event->bits == 32 || event->bits == 64) && at % (event->bits / 8) == 0 &&
                 is_condition(event->condition) && event->owner >= 0 && event->owner < skerry_pe_count() &&
                 event->reply <= SKERRY_AOS_REPLIES_MAX && is_readable(event->word, event->bits / 8);
    if (!right || !event->reply) return right;
    if (event->word != &skerry_aos.area->replies[event->reply - 1].done) return false;
    return !event->result || is_readable(event->result, sizeof *event->result);
}

static int usable(const char *routine, const aos_event_t *event) {
    if (skerry_aos.initializations == 0) return skerry_aos_refuse(routine, AOS_ERROR_STATE, 0, 0, 0);
    if (!event) return skerry_aos_refuse_argument(routine, "event: must not be NULL", 0, 0);
    if (__builtin_expect(skerry_checking, 0) && !is_event(event))
        return skerry_aos_refuse_argument(routine,
                                          "event @: must be one that aos_event_set or an operation has filled in",
                                          (long[]){(long)(uintptr_t)event}, 1);
    return AOS_SUCCESS;
}

#if SKERRY_FAR_WATCHES

// Polls of a transfer before the general wait, whose polls take six times as long. Enough for the largest transfers.
#define POLLS_OF_A_TRANSFER 10000

// Waits for a transfer of this PE with a PE of another node. Returns false if the event is another one, or if it takes long.
static bool await_transfer(const aos_event_t *event) {
    if (!event->word) return true;
    skerry_far_poll(); // the usual case: the transfer has ended while the program computed
    if (event->reply && SKERRY_LOAD_ACQUIRE((const int64_t *)event->word) == event->value) return true;
    if (has_happened(event)) return true;
    if (!event->reply || !skerry_aos.area->replies[event->reply - 1].is_transfer) return false;
    for (int polls = 0; polls < POLLS_OF_A_TRANSFER; polls++) {
        skerry_far_poll();
        if (has_happened(event)) return true;
    }
    return false;
}

#endif

int aos_event_wait(aos_event_t *event) {
    int error = usable("aos_event_wait", event);
    if (error) return error;
    bool happened = false;
#if SKERRY_FAR_WATCHES
    if (await_transfer(event)) return end_of(event, true);
#endif
#if SKERRY_PRIVATE_MEMORY
    if (event->word && event->reply) skerry_aos_help(event);
#endif
    SKERRY_AOS_WAIT_UNTIL((happened = poll_event(event)) || is_gone(event), event->owner, AOS_WAIT_DEFAULT);
    return end_of(event, happened || has_happened(event));
}

int aos_event_test(aos_event_t *event) {
    int error = usable("aos_event_test", event);
    if (error) return error;
    bool happened = poll_event(event);
    if (!happened && (skerry_aos_progress() > 0 || SKERRY_FAR_WATCHES)) happened = has_happened(event);
    if (!happened && !is_gone(event)) {
        skerry_poll_again();
        return 0;
    }
    error = end_of(event, happened || has_happened(event));
    return error ? error : 1;
}

// -- Several -----------------------------------------------------------------------------------------------------------

// Returns the index of an event that has happened. Also accepts an event that can no longer happen, because a PE has
// ended. Returns `count` if there is no such event.
static size_t find(aos_event_t *const *events, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (events[i] && (poll_event(events[i]) || is_gone(events[i]))) return i;
    return count;
}

// Returns the PE at whose eventcount (the place to sleep) a wait for these events sleeps. Returns -1 if the words of
// the events belong to several PEs, or if there is no event. Sets `*there` to the number of pointers in `events` that
// are not NULL. If an event has happened already, returns -1 and sets `*there` to `count`: the caller will not wait.
static int common_owner(aos_event_t *const *events, size_t count, size_t *there) {
    int owner = -1;
    bool one = true;
    *there = 0;
    for (size_t i = 0; i < count; i++) {
        if (!events[i]) continue;
        if (!events[i]->word) { // this event has happened, so the caller will not sleep
            *there = count;
            return -1;
        }
        if (++*there > 1 && events[i]->owner != owner) one = false;
        owner = events[i]->owner;
    }
    return one ? owner : -1;
}

// Checks the array of pointers `events`. `events` is allowed to be NULL only if `count` is 0. The pointers in the array
// are allowed to be NULL.
static int usable_array(const char *routine, aos_event_t *const *events, size_t count) {
    if (events || count == 0) return AOS_SUCCESS;
    return skerry_aos_refuse_argument(routine, "events: must not be NULL, because count is #", (long[]){(long)count},
                                      1);
}

static int usable_to_wait(const char *routine, aos_event_t *const *events, size_t count) {
    if (skerry_aos.initializations == 0) return skerry_aos_refuse(routine, AOS_ERROR_STATE, 0, 0, 0);
    int error = usable_array(routine, events, count);
    for (size_t i = 0; skerry_checking && i < count && !error; i++)
        if (events[i]) error = usable(routine, events[i]);
    return error;
}

int aos_event_wait_any(aos_event_t *const *events, size_t count, size_t *index) {
    static const char routine[] = "aos_event_wait_any";
    int error = usable_to_wait(routine, events, count);
    if (error) return error;
    size_t there, found = count;
    int owner = common_owner(events, count, &there);
    if (there == 0)
        return skerry_aos_refuse_argument(routine, "events: one of the # must be active, but each is NULL or inactive",
                                          (long[]){(long)count}, 1);
    // If the words belong to several PEs, no single eventcount (place to sleep) is notified for all of them. So the
    // wait must not sleep.
    SKERRY_AOS_WAIT_UNTIL((found = find(events, count)) < count, owner < 0 ? skerry_my_pe() : owner,
                          owner < 0 ? AOS_WAIT_SPIN : AOS_WAIT_DEFAULT);
    if (index) *index = found;
    return aos_event_wait(events[found]);
}

int aos_event_wait_all(aos_event_t *const *events, size_t count) {
    int error = usable_array("aos_event_wait_all", events, count);
    if (error) return error;
    for (size_t i = 0; i < count; i++) {
        int each = events[i] ? aos_event_wait(events[i]) : AOS_SUCCESS;
        if (!error) error = each;
    }
    return error;
}

int aos_event_test_any(aos_event_t *const *events, size_t count, size_t *index) {
    int error = usable_array("aos_event_test_any", events, count);
    if (error) return error;
    for (size_t i = 0; i < count; i++) {
        int outcome = events[i] ? aos_event_test(events[i]) : 0;
        if (outcome && index) *index = i;
        if (outcome) return outcome;
    }
    return 0;
}

int aos_event_test_all(aos_event_t *const *events, size_t count) {
    int error = usable_array("aos_event_test_all", events, count);
    if (error) return error;
    for (size_t i = 0; i < count; i++) {
        int outcome = events[i] ? aos_event_test(events[i]) : 1;
        if (outcome != 1) return outcome;
    }
    return 1;
}
