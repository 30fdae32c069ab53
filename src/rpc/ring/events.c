// SPDX-License-Identifier: BSD-3-Clause
// Makes asynchronous calls, and posted calls (calls without an answer), on a machine whose cores pass calls through
// rings (queues of calls). A PE has a few events: words that receive the answer of an asynchronous call. The core that
// runs a call stores the answer in the call's event. If the target's ring is full, this PE runs the function itself,
// and the call ends at once. The program can choose another policy (choice.c).
#include "ring.h"

#include <shmemx.h>

#define EVENTS SHMEMX_RPC_EVENTS
_Static_assert((EVENTS & (EVENTS - 1)) == 0, "the number of events is a power of two");

struct pending {
    struct skerry_rpc_event event;
    uint16_t number; // number of the last call that took this event
    uint16_t bytes;
    bool is_taken;
    int8_t status;
    int8_t kind; // enum skerry_call_kind
};
static struct pending pending[EVENTS];
static unsigned long refused;

static struct pending *take(void) {
    struct pending *found = 0;
    // Functions that run for other PEs, and handlers, interrupt the program and can take events too. The event is
    // therefore taken with interrupts masked.
    uint32_t mask = skerry_mask_interrupts();
    for (struct pending *each = pending; each != pending + EVENTS && !found; each++)
        if (!each->is_taken) found = each;
    if (found) {
        found->is_taken = true;
        found->number++;
        found->event.done = 0;
    } else {
        refused++;
    }
    skerry_unmask_interrupts(mask);
    return found;
}

static int begin(const struct skerry_kept_call *kept, struct pending *to) {
    struct skerry_rpc_call call;
    skerry_rpc_copy(&call.arguments, &kept->arguments, sizeof call.arguments);
    call.function = kept->function;
    call.event = to ? skerry_global(&to->event, skerry_my_pe()) : 0;
    int pe = skerry_owner((void *)(uintptr_t)kept->arguments.integers[0]);
    int status = pe == skerry_my_pe() ? SHMEMX_RPC_RUN_BY_CALLER : skerry_rpc_send_or_push(&call, pe);
    if (status == SHMEMX_RPC_SERVED) return status;
    struct skerry_results results = {0};
    if (status == SHMEMX_RPC_RUN_BY_CALLER) {
        struct skerry_kept_call here = *kept; // a copy, because the function can overwrite *kept
        skerry_rpc_run_here(&here, pe, &results);
    }
    if (to) {
        to->event.results = results;
        to->event.done = 1;
    }
    return status;
}

shmemx_rpc_event_t skerry_rpc_async(int kind, size_t bytes) {
    struct pending *to = take();
    if (!to) return (shmemx_rpc_event_t){0};
    to->bytes = kind == SKERRY_CALL_NOTHING ? 0 : (uint16_t)bytes;
    to->kind = (int8_t)kind;
    uint16_t number = to->number;
    to->status = (int8_t)begin(skerry_kept_call(), to);
    return (shmemx_rpc_event_t){(uint32_t)number << 16 | (uint32_t)(to - pending + 1)};
}

int skerry_rpc_post(void) {
    return skerry_rpc_note(begin(skerry_kept_call(), 0));
}

int skerry_rpc_team(shmem_team_t team, void *results, int kind, size_t bytes) {
    struct skerry_kept_call call = *skerry_kept_call();
    void *first = (void *)(uintptr_t)call.arguments.integers[0];
    char *to = results;
    shmemx_rpc_event_t events[EVENTS];
    int members = shmem_team_n_pes(team), outcome = 0, open = 0, oldest = 0;
    if (members < 0) return SHMEMX_RPC_REFUSED; // the team: must not be SHMEM_TEAM_INVALID
    for (int i = 0; i < members || open > 0;) {
        if (i < members && open < EVENTS) {
            struct skerry_kept_call *kept = skerry_kept_call();
            *kept = call;
            kept->arguments.integers[0] = (uint32_t)(uintptr_t)shmem_team_ptr(team, first, i);
            shmemx_rpc_event_t event = skerry_rpc_async(kind, bytes);
            if (event.number) events[(oldest + open++) & (EVENTS - 1)] = event, i++;
            if (event.number) continue;
            if (open == 0) return SHMEMX_RPC_REFUSED; // the program itself holds all events
        }
        int status = shmemx_rpc_wait(&events[oldest & (EVENTS - 1)], to);
        if (status < 0 && outcome == 0) outcome = status;
        if (to) to += bytes;
        oldest++, open--;
    }
    return outcome;
}

// -- Events ------------------------------------------------------------------------------------------------------------

static struct pending *pending_of(const char *routine, const shmemx_rpc_event_t *event) {
    uint32_t index = (event->number & 0xffff) - 1;
    if (index >= EVENTS || !pending[index].is_taken || pending[index].number != event->number >> 16)
        skerry_fail_values(
            routine,
            "event #: no call with this event is under way (it was never made, or its end was already waited for)",
            (long[]){(long)event->number}, 1);
    return &pending[index];
}

static int finish(struct pending *from, shmemx_rpc_event_t *event, void *result) {
    skerry_compiler_fence();
    if (result) skerry_call_result(&from->event.results, from->kind, result, from->bytes);
    event->number = 0;
    int status = from->status;
    from->is_taken = false;
    return skerry_rpc_note(status);
}

int shmemx_rpc_wait(shmemx_rpc_event_t *event, void *result) {
    if (!event->number) return skerry_rpc_note(SHMEMX_RPC_REFUSED);
    struct pending *from = pending_of(__func__, event);
    while (!from->event.done) continue;
    return finish(from, event, result);
}

int shmemx_rpc_test(shmemx_rpc_event_t *event, void *result) {
    if (!event->number) {
        skerry_rpc_note(SHMEMX_RPC_REFUSED);
        return 1;
    }
    struct pending *from = pending_of(__func__, event);
    if (!from->event.done) return 0;
    finish(from, event, result);
    return 1;
}

static size_t any(const char *routine, shmemx_rpc_event_t *events, size_t count, void *result, bool *open) {
    *open = false;
    for (size_t i = 0; i < count; i++) {
        if (!events[i].number) continue;
        *open = true;
        struct pending *from = pending_of(routine, &events[i]);
        if (!from->event.done) continue;
        finish(from, &events[i], result);
        return i;
    }
    return SIZE_MAX;
}

size_t shmemx_rpc_test_any(shmemx_rpc_event_t *events, size_t count, void *result) {
    bool open;
    return any(__func__, events, count, result, &open);
}

size_t shmemx_rpc_wait_any(shmemx_rpc_event_t *events, size_t count, void *result) {
    for (;;) {
        bool open;
        size_t found = any(__func__, events, count, result, &open);
        if (found != SIZE_MAX || !open) return found;
    }
}

int shmemx_rpc_wait_all(shmemx_rpc_event_t *events, size_t count, void *results) {
    int outcome = 0;
    unsigned bytes = 0; // size of a result in bytes, equal for all events
    for (size_t i = 0; i < count; i++) {
        if (!events[i].number) continue;
        bytes = pending_of(__func__, &events[i])->bytes;
        char *to = results;
        for (size_t k = 0; k < i && to; k++) to += bytes;
        int status = shmemx_rpc_wait(&events[i], to);
        if (status < 0 && outcome == 0) outcome = status;
    }
    return outcome;
}

int shmemx_rpc_test_all(shmemx_rpc_event_t *events, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (events[i].number && !pending_of(__func__, &events[i])->event.done) return 0;
    return 1;
}

// Accepts only SHMEMX_RPC_BY_SIGNAL. A call always interrupts its target, because a core does not know whether its
// program waits.
int shmemx_rpc_attention(int how) {
    if (how < SHMEMX_RPC_ONLY_WAITING || how > SHMEMX_RPC_BY_THREAD)
        skerry_fail_values(
            __func__,
            "how #: must be SHMEMX_RPC_ONLY_WAITING (0), SHMEMX_RPC_BY_SIGNAL (1) or SHMEMX_RPC_BY_THREAD (2)",
            (long[]){how}, 1);
    return how == SHMEMX_RPC_BY_SIGNAL ? 0 : -1;
}

void shmemx_rpc_get_counters(shmemx_rpc_counters_t *counters) {
    SKERRY_NEEDS_CALLS();
    *counters = (shmemx_rpc_counters_t){.sent = skerry_rpc.sent,
                                        .run_by_caller = skerry_rpc.run_here,
                                        .refused = refused + (&skerry_rpc_refused ? skerry_rpc_refused : 0),
                                        .interrupting = skerry_rpc.interrupting,
                                        .served = skerry_rpc.served / SKERRY_RPC_ONE,
                                        .interrupted = skerry_rpc.served / SKERRY_RPC_ONE};
}
