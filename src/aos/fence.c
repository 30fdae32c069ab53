// SPDX-License-Identifier: BSD-3-Clause
// Implements the fences, which complete operations of this PE. A fence completes three kinds of operations:
// * Puts and atomics on near memory (memory that this PE accesses by loads and stores). skerry_quiet makes them visible
//   to all PEs.
// * Atomics without an answer on private memory of another PE. They are requests, which the owner runs in the order in
//   which this PE sent them. The fence sends one more request, an empty one. Its answer shows that all earlier requests
//   are done.
// * Conditional atomics of this PE. The fence waits until none is left in the owner's list.
#include "internal.h"

#define SKERRY_AOS_SYMBOLS
#include "api.h"
#include "fence.h"

#if SKERRY_PRIVATE_MEMORY

// Sends an empty request to PE `pe`. That PE answers the request after it has run all earlier requests of this PE.
// Returns true if the function made `*event`, an event that happens when the answer arrives. Returns false if there is
// nothing to wait for: this PE has sent no request without an answer to that PE, or that PE has ended.
static bool send_fence_request(int pe, uint32_t waiting, aos_event_t *event) {
    if (!skerry_aos_is_marked(skerry_aos.area->posted_to, pe)) return false;
    if (!SKERRY_AOS_IS_FAR(pe) && !skerry_aos_is_up(pe)) return false;
    struct skerry_aos_request request = {.kind = SKERRY_AOS_FENCE, .initiator = skerry_my_pe()};
    SKERRY_AOS_WAIT_UNTIL((request.reply = skerry_aos_take_reply(pe, true, &request.sequence)) != 0, skerry_my_pe(),
                          waiting);
    skerry_aos_expect(event, request.reply, request.sequence, 0);
    if (skerry_aos_send_request(&request, pe, waiting)) return true;
    skerry_aos_collect(event);
    return false;
}

#define AT_ONCE 64 // greatest number of PEs for whose answers this PE waits at the same time

static void fence_requests_to_all(void) {
    aos_event_t answers[AT_ONCE];
    for (int pe = 0; pe < skerry_pe_count();) {
        int count = 0;
        for (; pe < skerry_pe_count() && count < AT_ONCE; pe++)
            count += send_fence_request(pe, AOS_WAIT_DEFAULT, &answers[count]);
        for (int i = 0; i < count; i++) aos_event_wait(&answers[i]);
    }
}

// Returns the error of an earlier put or get with PE `pe` that failed behind the program, if nobody has waited for its event.
// Returns AOS_ERROR_FAULT if an earlier atomic without an answer failed at PE `pe`. Such an atomic fails if that PE has
// no memory at the word's address, or must not write to it. Clears PE `pe`'s bit in `faulted`, so that only one fence
// reports the error.
static int fault_at(const char *routine, int pe) {
    const int untold = skerry_aos_untold_error(pe);
    if (untold) return untold;
    uint64_t *faulted = skerry_aos.area->faulted;
    if (!skerry_aos_is_marked(faulted, pe)) return AOS_SUCCESS;
    skerry_atomic_and_64(&faulted[pe >> 6], ~(UINT64_C(1) << (pe & 63)), skerry_my_pe());
    if (skerry_checking)
        skerry_fail_values(routine,
                           "an earlier atomic without an answer failed: PE # must have memory at the atomic's address, "
                           "and must be allowed to write to it",
                           (long[]){pe}, 1);
    return AOS_ERROR_FAULT;
}

#else

static int fault_at(const char *routine, int pe) {
    (void)routine, (void)pe;
    return AOS_SUCCESS;
}

static bool send_fence_request(int pe, uint32_t waiting, aos_event_t *event) {
    (void)pe, (void)waiting, (void)event;
    return false;
}

static void fence_requests_to_all(void) {
}

#endif

static bool has_deferred(int owner, uint64_t reference) {
    skerry_aos_poll_deferred(owner);
    return skerry_aos_has_deferred(owner, reference);
}

// Makes an event that happens when no PE's list contains a conditional atomic of this PE any more. `outstanding` counts
// such atomics.
static void expect_deferred(aos_event_t *event) {
    *event = (aos_event_t){
        .word = &skerry_aos.area->outstanding, .condition = AOS_EQUAL, .owner = skerry_my_pe(), .bits = 64};
}

static void await_deferred(const aos_segment_t *segment, aos_event_t *event) {
    int owner = segment->owner;
    uint64_t reference = skerry_aos_reference(segment->entry);
    if (event) expect_deferred(event);
    if (event && !skerry_aos_has_deferred(owner, reference)) event->word = 0;
    if (!event) SKERRY_AOS_WAIT_UNTIL(!has_deferred(owner, reference), owner, segment->waiting);
}

#if SKERRY_FAR_MESSAGES

// Waits until no conditional atomic of this PE on the segment waits for its condition any more. The segment's owner is
// on another node. If `event` is not NULL, makes an event instead of waiting. If this PE has never put an atomic into
// that owner's list (`deferred_at`), there is nothing to wait for.
static void await_far_deferred(const aos_segment_t *segment, aos_event_t *event) {
    int owner = segment->owner;
    uint64_t reference = skerry_aos_reference_of(segment);
    skerry_aos_happened(event);
    if (!skerry_aos_is_marked(skerry_aos.area->deferred_at, owner)) return;
    if (event) {
        if (skerry_aos_has_deferred(owner, reference)) expect_deferred(event);
        return;
    }
    struct skerry_aos_far_wait wait = skerry_aos_begin_far_wait(segment->waiting);
    while (skerry_aos_has_deferred(owner, reference)) skerry_aos_far_pause(&wait);
    skerry_aos_end_wait(&wait.waiter);
}

#endif

int aos_fence(const aos_segment_t *segment, aos_event_t *event) {
    static const char routine[] = "aos_fence";
    int error = skerry_aos_usable(segment, 0);
    if (error) return skerry_aos_refuse(routine, error, segment, 0, 0);
    int owner = segment->owner;
    aos_event_t answer;
#if SKERRY_PRIVATE_MEMORY
    skerry_aos_end_behind(&skerry_aos_behind.of_pe[owner], segment->waiting);
#endif
    skerry_note_stores(segment->base, owner); // stores by an address from aos_pointer did not notify the owner
    skerry_quiet();
    if (!SKERRY_AOS_IS_FAR(owner)) skerry_wake(owner);
    if (skerry_aos_has_any_deferred(owner)) skerry_aos_run_deferred(owner);
    if (send_fence_request(owner, segment->waiting, &answer)) error = aos_event_wait(&answer);
#if SKERRY_FAR_MESSAGES
    if (SKERRY_AOS_IS_FAR(owner)) {
        await_far_deferred(segment, event);
        return error ? error : fault_at(routine, owner);
    }
#endif
    if (skerry_aos_has_any_deferred(owner)) await_deferred(segment, event);
    else skerry_aos_happened(event);
    return error ? error : fault_at(routine, owner);
}

int aos_fence_all(aos_event_t *event) {
    static const char routine[] = "aos_fence_all";
    if (skerry_aos.initializations == 0) return skerry_aos_refuse(routine, AOS_ERROR_STATE, 0, 0, 0);
#if SKERRY_PRIVATE_MEMORY
    skerry_aos_end_behind(&skerry_aos_behind.all, AOS_WAIT_DEFAULT);
#endif
    skerry_quiet();
    fence_requests_to_all();
    aos_event_t deferred;
    skerry_aos_happened(event);
    if (!skerry_aos_can_defer()) return AOS_SUCCESS; // on a chip, where no fault is found so late
    expect_deferred(&deferred);
    int error = AOS_SUCCESS;
    if (event) *event = deferred;
    else error = aos_event_wait(&deferred);
    for (int pe = 0; pe < skerry_pe_count(); pe++) {
        int fault = fault_at(routine, pe);
        if (!error) error = fault;
    }
    return error;
}
