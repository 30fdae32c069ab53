// SPDX-License-Identifier: BSD-3-Clause
// What a PE does for others in memory that they do not reach: requests come by a bounded queue, in each initiator's order, and
// are served one after the other by whichever of the owner's threads waits. Serving waits for nobody. An initiator takes no
// ticket before there is room, and serves its own requests while it waits for that: two full PEs never wait for each other.
#include "internal.h"

#if SKERRY_PRIVATE_MEMORY

#define SERVED_AT_ONCE 64     // then the wait looks at what it waits for
#define LOOKS_BEFORE_CALL 500 // some microseconds: less than an interruption takes
#define INTERRUPT 3           // behind those of remote calls, before the program's own

bool skerry_aos_may_do(uint32_t operation, uint64_t word) {
    void *at = (void *)(uintptr_t)word;
    if (operation == SKERRY_AOS_PEEK) return skerry_is_readable(at, sizeof(int64_t));
    return skerry_is_writable(at, sizeof(int64_t));
}

static bool may_move(const struct skerry_aos_request *request, void *own) {
    if (request->kind == SKERRY_AOS_MOVE_TO) return skerry_is_writable(own, (size_t)request->block_bytes);
    return skerry_is_readable(own, (size_t)request->block_bytes);
}

static int serve_move(const struct skerry_aos_request *request) {
    uint64_t stage = (uint64_t)(uintptr_t)request->stage;
    for (uint64_t i = 0; i < request->blocks; i++) {
        void *staged = (void *)(uintptr_t)(stage + i * request->block_bytes);
        void *own = (void *)(uintptr_t)(request->address + i * (uint64_t)request->pitch);
        if (!may_move(request, own)) return AOS_ERROR_FAULT;
        if (request->kind == SKERRY_AOS_MOVE_TO) skerry_copy(own, staged, (size_t)request->block_bytes);
        else skerry_copy(staged, own, (size_t)request->block_bytes);
    }
    return AOS_SUCCESS;
}

static int serve_atomic(const struct skerry_aos_request *request, int64_t *before) {
    struct skerry_aos_place place = {request->address, skerry_my_pe(), true};
    if (!skerry_aos_may_do(request->operation, request->address)) return AOS_ERROR_FAULT;
    skerry_aos_modify(&place, request->operation, request->value, request->expected, 0, 0, before);
    return AOS_SUCCESS;
}

static void serve_one(const struct skerry_aos_request *request) {
    int64_t before = 0;
    int outcome = AOS_SUCCESS;
    if (request->kind == SKERRY_AOS_DO) outcome = serve_atomic(request, &before);
    else if (request->kind != SKERRY_AOS_FENCE) outcome = serve_move(request);
    if (request->kind != SKERRY_AOS_FENCE) skerry_wake(skerry_my_pe()); // other threads wait for words of this memory
    skerry_aos_answer(request->initiator, request->reply, request->sequence, before, outcome);
}

static int serve_some(struct skerry_queue *queue) {
    int served = 0;
    struct skerry_queue_slot *slot;
    while (served < SERVED_AT_ONCE && (slot = skerry_queue_first(queue)) != 0) {
        struct skerry_aos_request request = *(const struct skerry_aos_request *)(const void *)slot->message;
        skerry_queue_release(queue);
        serve_one(&request);
        served++;
    }
    return served;
}

// Any thread may look, so the head is read once.
static bool has_request(struct skerry_queue *queue) {
    skerry_word head = SKERRY_LOAD_ACQUIRE(&queue->head);
    return SKERRY_LOAD_ACQUIRE(&skerry_queue_own_slot(queue, head)->turn) == (uint32_t)(head + 1);
}

// What has left the queue is done before the lock is given back.
bool skerry_aos_is_asked(void) {
    return has_request(skerry_aos_requests(skerry_my_pe())) || SKERRY_LOAD_ACQUIRE(&skerry_aos.area->serve_lock) != 0;
}

int skerry_aos_progress(void) {
    if (!skerry_aos.area) return 0;
    struct skerry_aos_area *area = skerry_aos.area;
    int me = skerry_my_pe(), served = 0;
    struct skerry_queue *queue = skerry_aos_requests(me);
    // A thread that finds another one serving goes on: that one looks again after it has given the lock back.
    while (served < SERVED_AT_ONCE && has_request(queue) && skerry_aos_try_lock(&area->serve_lock, me)) {
        served += serve_some(queue);
        skerry_aos_unlock(&area->serve_lock, me);
        skerry_quiet();
    }
    if (served) skerry_aos_run_deferred(me);
    else skerry_aos_poll_deferred(me);
    return served;
}

static bool try_to_ask(struct skerry_queue_end *end, const struct skerry_aos_request *request) {
    skerry_word ticket;
    if (!skerry_queue_try_ticket(end, &ticket)) return false;
    *(struct skerry_aos_request *)(void *)skerry_queue_slot_of(end, ticket)->message = *request;
    skerry_queue_publish(end, ticket, 0);
    return true;
}

bool skerry_aos_ask_awaited(const struct skerry_aos_request *request, int pe, uint32_t policy) {
    struct skerry_queue_end end;
    if (!skerry_aos_is_up(pe)) return false;
    skerry_queue_open(&end, skerry_aos_requests(pe), pe);
    bool asked = false;
    SKERRY_AOS_WAIT_UNTIL((asked = try_to_ask(&end, request)) || !skerry_aos_is_up(pe), pe, policy);
    return asked;
}

bool skerry_aos_ask(const struct skerry_aos_request *request, int pe, uint32_t policy) {
    bool asked = skerry_aos_ask_awaited(request, pe, policy);
    if (asked) skerry_aos_call(pe);
    return asked;
}

int skerry_aos_await(aos_event_t *event, int pe) {
    const int64_t *done = event->word;
    int looks = skerry_is_oversubscribed() ? 0 : LOOKS_BEFORE_CALL;
    while (looks > 0 && SKERRY_LOAD_ACQUIRE(done) < event->value) {
        looks--;
        if (skerry_aos_progress() > 0) continue;
#if SKERRY_REQUEST_PARTS
        skerry_relax();
#endif
    }
    if (looks == 0) skerry_aos_call(pe);
    return aos_event_wait(event);
}

// -- Attention ---------------------------------------------------------------------------------------------------------

#if SKERRY_INTERRUPT_NUMBERS

// If the thread that it interrupts is serving, that one goes on with what has come meanwhile.
static void serve_all(void) {
    while (skerry_aos_progress() >= SERVED_AT_ONCE) {
    }
}

// Any PE may be asked through aos_segment_of_pe; few are.
static void accept_rare_requests(void) {
    skerry_on_rare_interrupt(INTERRUPT, serve_all);
}

void skerry_aos_poll_requests(void) {
    skerry_on_interrupt(INTERRUPT, serve_all);
    skerry_accept_requests(); // what comes names this PE's memory only
}

void skerry_aos_end_serving(void) {
    skerry_on_interrupt(INTERRUPT, 0);
}

void skerry_aos_call(int pe) {
    skerry_interrupt(pe, INTERRUPT);
}

#else

static void accept_rare_requests(void) {
}

void skerry_aos_poll_requests(void) {
}

void skerry_aos_end_serving(void) {
}

void skerry_aos_call(int pe) {
    skerry_wake(pe);
}

#endif

void skerry_aos_begin_serving(void) {
    struct skerry_queue *queue = skerry_aos_requests(skerry_my_pe());
    skerry_queue_create(queue, SKERRY_AOS_REQUESTS, SKERRY_AOS_REQUEST_SLOT, false);
    while (skerry_queue_first(queue)) skerry_queue_release(queue); // of an earlier process of this PE
    accept_rare_requests();
}

#else // nobody is asked for anything: each PE reaches all there is

void skerry_aos_begin_serving(void) {
}

void skerry_aos_end_serving(void) {
}

void skerry_aos_poll_requests(void) {
}

void skerry_aos_call(int pe) {
    skerry_wake(pe);
}

bool skerry_aos_is_asked(void) {
    return false;
}

int skerry_aos_progress(void) {
    if (skerry_aos.area && skerry_aos_parks()) skerry_aos_poll_deferred(skerry_my_pe());
    return 0;
}

#endif
