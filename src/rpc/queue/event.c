// SPDX-License-Identifier: BSD-3-Clause
// Manages the replies to this PE's calls, and the events (handles) of asynchronous calls. Element i of
// skerry_rpc_pending and element i of the array of replies (message.h) belong to the same call. The call uses both from
// skerry_rpc_take_event to skerry_rpc_free_event.
//
// Why a caller does not mistake an old reply for its own:
// * Each reply has a number. An element of the replies holds the number of the last reply that arrived in it, or 0.
// * A call that is sent gets the next number. Its caller waits until the element holds this number.
// * A call that is not sent gets no number. A new number therefore always differs from the number that the element
//   holds, even after the numbers have wrapped round.
#include "internal.h"

#define WORDS (SKERRY_RPC_REPLIES / 64)
#define WORDS_OF_EVENTS (SKERRY_RPC_EVENTS / 64)

struct skerry_rpc_pending skerry_rpc_pending[SKERRY_RPC_REPLIES];
// One bit for each element, which is set while a call uses the element. Atomic operations set and clear the bits,
// because several threads of a PE can make calls at the same time.
static uint64_t taken[WORDS];
// The element that was freed last, which the next call uses; -1: none.
static int spare = -1;

// Takes a free element of skerry_rpc_pending among those whose bits are in taken[first] to taken[end - 1]. The reply of
// the same index is taken too. Returns the element's index, or -1 if no element is free.
static int search(int first, int end) {
    for (int word = first; word < end; word++) {
        uint64_t seen = __atomic_load_n(&taken[word], __ATOMIC_RELAXED);
        while (~seen) {
            int bit = __builtin_ctzll(~seen);
            uint64_t mine = UINT64_C(1) << bit;
            seen = __atomic_fetch_or(&taken[word], mine, __ATOMIC_ACQUIRE);
            if (!(seen & mine)) return word * 64 + bit;
            seen |= mine;
        }
    }
    return -1;
}

int skerry_rpc_take_event(void) {
    int event = __atomic_exchange_n(&spare, -1, __ATOMIC_ACQUIRE);
    if (event < 0) event = search(0, WORDS_OF_EVENTS);
    if (event < 0) return event;
    struct skerry_rpc_pending *pending = &skerry_rpc_pending[event];
    pending->number++;
    pending->is_over = 0;
    return event;
}

// Takes an element for a call whose caller waits for the reply. The elements from SKERRY_RPC_EVENTS on are used only
// for such calls. Each of these callers frees its element as soon as the reply has arrived. Therefore the wait in this
// function ends even if the program never ends the events that hold the other elements.
int skerry_rpc_take_event_for_wait(void) {
    int event = skerry_rpc_take_event();
    SKERRY_PAUSE(pause);
    while (event < 0) {
        event = search(WORDS_OF_EVENTS, WORDS);
        if (event >= 0) skerry_rpc_pending[event].is_over = 0;
        else skerry_pause(&pause, skerry_my_pe());
    }
    return event;
}

void skerry_rpc_free_event(int event) {
    if (event < SKERRY_RPC_EVENTS) event = __atomic_exchange_n(&spare, event, __ATOMIC_ACQ_REL);
    if (event >= 0) __atomic_fetch_and(&taken[event / 64], ~(UINT64_C(1) << (event % 64)), __ATOMIC_RELEASE);
}

void skerry_rpc_results(int event, struct skerry_results *results) {
    const struct skerry_results *from = &skerry_rpc_replies()[event].results;
    __builtin_memcpy(results->integers, from->integers, sizeof results->integers);
    __builtin_memcpy(results->vectors, from->vectors, sizeof results->vectors);
    results->stacked = from->note & SKERRY_RPC_STACKED;
    if (results->stacked) __builtin_memcpy(results->stack, from->stack, sizeof results->stack);
}

bool skerry_rpc_has_ended(int event, int *status) {
    const struct skerry_rpc_pending *pending = &skerry_rpc_pending[event];
    const struct skerry_rpc_reply *reply = &skerry_rpc_replies()[event];
    if (pending->is_over) {
        *status = pending->status;
        return true;
    }
    const struct skerry_rpc_reply *seen = skerry_poll_address(reply);
    if (!skerry_mailbox_has(&seen->results.number, pending->reply)) return false;
    *status = (int32_t)seen->results.note >> 8;
    return true;
}

// -- Routines for the program's events ---------------------------------------------------------------------------------

static void check_pointer(const char *routine, const void *event) {
    if (skerry_checking && !event) skerry_fail(routine, "event: must not be NULL");
}

static void check_array(const char *routine, const void *events, size_t count) {
    if (skerry_checking && !events && count)
        skerry_fail_values(routine, "events: must not be NULL, because count is #", (long[]){(long)count}, 1);
}

// Returns the index of an event. The program's handle contains this index and the event's number, and each use of an
// element has a new number. The function therefore detects a handle that the program uses again after its call has
// ended. The numbers of an element repeat after 65536 uses. The function does not detect an old handle whose number is
// in use again.
static int event_of(const char *routine, const shmemx_rpc_event_t *event) {
    int index = (int)(event->number & 0xffff) - 1;
    if (index < 0 || index >= SKERRY_RPC_EVENTS || skerry_rpc_pending[index].number != event->number >> 16 ||
        !skerry_rpc_pending[index].is_open)
        skerry_fail_values(
            routine,
            "event @: no call with this event is under way (it was never made, or its end was already waited for)",
            (long[]){(long)event->number}, 1);
    return index;
}

static void finish(const char *routine, int index, shmemx_rpc_event_t *event, int status, void *result) {
    struct skerry_rpc_pending *pending = &skerry_rpc_pending[index];
    if (result && pending->result_kind == SKERRY_CALL_OTHER)
        skerry_fail(routine,
                    "result: must be NULL, because the function of this call returns a struct, and the routine can "
                    "store only a number or a pointer");
    skerry_rpc_last_status = status;
    pending->is_open = 0;
    struct skerry_results results = {0};
    if (result && pending->is_over) results = skerry_rpc_replies()[index].results; // this PE ran the call itself
    else if (result) skerry_rpc_results(index, &results);
    if (result)
        skerry_call_result(&results, (enum skerry_call_kind)pending->result_kind, result, pending->result_bytes);
    event->number = 0;
    skerry_rpc_free_event(index);
}

int shmemx_rpc_wait(shmemx_rpc_event_t *event, void *result) {
    check_pointer(__func__, event);
    if (!event->number) return skerry_rpc_last_status = SHMEMX_RPC_REFUSED;
    int index = event_of(__func__, event);
    int status = skerry_rpc_await(index);
    finish(__func__, index, event, status, result);
    return status;
}

int shmemx_rpc_test(shmemx_rpc_event_t *event, void *result) {
    int status;
    check_pointer(__func__, event);
    if (!event->number) {
        skerry_rpc_last_status = SHMEMX_RPC_REFUSED;
        return 1;
    }
    int index = event_of(__func__, event);
    if (!skerry_rpc_has_ended(index, &status)) {
        skerry_poll_again();
        return 0;
    }
    finish(__func__, index, event, status, result);
    return 1;
}

static size_t find_ended(const char *routine, shmemx_rpc_event_t *events, size_t count, void *result, size_t *open) {
    size_t seen = 0;
    for (size_t i = 0; i < count; i++) {
        int status;
        if (!events[i].number) continue;
        seen++;
        int index = event_of(routine, &events[i]);
        if (!skerry_rpc_has_ended(index, &status)) continue;
        finish(routine, index, &events[i], status, result);
        return i;
    }
    *open = seen;
    return SIZE_MAX;
}

size_t shmemx_rpc_test_any(shmemx_rpc_event_t *events, size_t count, void *result) {
    size_t open = 0;
    check_array(__func__, events, count);
    size_t found = find_ended(__func__, events, count, result, &open);
    if (found == SIZE_MAX) skerry_poll_again();
    return found;
}

size_t shmemx_rpc_wait_any(shmemx_rpc_event_t *events, size_t count, void *result) {
    check_array(__func__, events, count);
    SKERRY_PAUSE(pause);
    for (;;) {
        size_t open = 0;
        size_t found = find_ended(__func__, events, count, result, &open);
        if (found != SIZE_MAX || open == 0) return found;
        skerry_pause(&pause, skerry_my_pe());
    }
}

int shmemx_rpc_wait_all(shmemx_rpc_event_t *events, size_t count, void *results) {
    int outcome = 0;
    char *at = results;
    check_array(__func__, events, count);
    for (size_t i = 0; i < count; i++) {
        if (!events[i].number) continue;
        size_t bytes = skerry_rpc_pending[event_of(__func__, &events[i])].result_bytes;
        int status = shmemx_rpc_wait(&events[i], at ? at + i * bytes : 0);
        if (status < 0 && outcome == 0) outcome = status;
    }
    return outcome;
}

int shmemx_rpc_test_all(shmemx_rpc_event_t *events, size_t count) {
    int status;
    check_array(__func__, events, count);
    for (size_t i = 0; i < count; i++) {
        if (!events[i].number || skerry_rpc_has_ended(event_of(__func__, &events[i]), &status)) continue;
        skerry_poll_again();
        return 0;
    }
    return 1;
}
