// SPDX-License-Identifier: BSD-3-Clause
// Runs the requests of other PEs to this PE, the owner of private memory that they cannot access. Requests arrive in a
// bounded queue (src/primitive/queue.h). The requests of one PE arrive in the order in which this PE, their initiator,
// sent them. Any thread of the owner that waits runs the requests, one after the other.
//
// Why PEs with full queues do not deadlock:
// * While the owner runs a request, it never waits for another PE.
// * An initiator takes a ticket (a claim on a slot of the queue) only if a slot is free.
// * While no slot is free, the initiator runs the requests to its own PE.
#include "internal.h"

#if SKERRY_PRIVATE_MEMORY

#define SERVED_AT_ONCE 64     // greatest number of requests that a wait runs before it polls its own word again
#define POLLS_BEFORE_CALL 500 // polls for an answer before the owner is interrupted; faster than an interrupt
#define INTERRUPT 3           // interrupt number; lower numbers are for remote calls, higher numbers for the program

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

#if SKERRY_FAR_MESSAGES

// Sends the answer to a request of a PE of another node. Frees the far stage (a buffer of this PE) that contains the
// data of the request.
static void answer_and_return_stage(const struct skerry_aos_request *request, int outcome) {
    struct skerry_aos_far_stage *stage = skerry_aos_far_stage_of(request->stage);
    size_t bytes = request->kind == SKERRY_AOS_MOVE_FROM && outcome == AOS_SUCCESS
                       ? (size_t)(request->block_bytes * request->blocks)
                       : 0;
    skerry_aos_far_answer(request->initiator, request->reply, request->sequence, 0, outcome, -1, stage, bytes,
                          request->dest);
    skerry_aos_return_far_stage(stage);
}

#endif

static void serve_one(const struct skerry_aos_request *request) {
    int64_t before = 0;
    int outcome = AOS_SUCCESS;
    if (request->kind == SKERRY_AOS_DO) outcome = serve_atomic(request, &before);
    else if (request->kind != SKERRY_AOS_FENCE) outcome = serve_move(request);
    if (request->kind != SKERRY_AOS_FENCE) skerry_wake(skerry_my_pe()); // wakes threads that wait for words of this PE
#if SKERRY_FAR_MESSAGES
    if (SKERRY_AOS_IS_FAR(request->initiator) && request->stage) {
        answer_and_return_stage(request, outcome);
        return;
    }
#endif
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

// Returns true if the queue holds a request. Loads `head` only one time, because other threads can change `head` at the
// same time.
static bool has_request(struct skerry_queue *queue) {
    skerry_word head = SKERRY_LOAD_ACQUIRE(&queue->head);
    return SKERRY_LOAD_ACQUIRE(&skerry_queue_own_slot(queue, head)->turn) == (uint32_t)(head + 1);
}

// Returns true if a request has arrived or is running. A thread that takes a request out of the queue runs the request
// before it releases serve_lock. So if the queue is empty and the lock is free, no request is running.
bool skerry_aos_has_request(void) {
    return has_request(skerry_aos_requests(skerry_my_pe())) || SKERRY_LOAD_ACQUIRE(&skerry_aos.area->serve_lock) != 0;
}

int skerry_aos_progress(void) {
    if (!skerry_aos.area) return 0;
    struct skerry_aos_area *area = skerry_aos.area;
    int me = skerry_my_pe(), served = 0;
    struct skerry_queue *queue = skerry_aos_requests(me);
    // A thread that finds serve_lock taken returns. No request is forgotten: the lock's holder polls the queue again
    // after it has released the lock.
    while (served < SERVED_AT_ONCE && has_request(queue) && skerry_aos_try_lock(&area->serve_lock, me)) {
        served += serve_some(queue);
        skerry_aos_unlock(&area->serve_lock, me);
        skerry_aos_full_fence();
    }
    if (served) skerry_aos_run_deferred(me);
    else skerry_aos_poll_deferred(me);
    return served;
}

static bool try_to_send(struct skerry_queue_end *end, const struct skerry_aos_request *request) {
    skerry_word ticket;
    if (!skerry_queue_try_ticket(end, &ticket)) return false;
    *(struct skerry_aos_request *)(void *)skerry_queue_slot_of(end, ticket)->message = *request;
    skerry_queue_publish(end, ticket, 0);
    return true;
}

bool skerry_aos_try_to_send_request(const struct skerry_aos_request *request, int pe) {
    struct skerry_queue_end end;
    skerry_queue_open(&end, skerry_aos_requests(pe), pe);
    return try_to_send(&end, request);
}

bool skerry_aos_send_awaited_request(const struct skerry_aos_request *request, int pe, uint32_t policy) {
    struct skerry_queue_end end;
#if SKERRY_FAR_MESSAGES
    if (SKERRY_AOS_IS_FAR(pe)) return skerry_aos_far_request(request, pe, policy);
#endif
    if (!skerry_aos_is_up(pe)) return false;
    skerry_queue_open(&end, skerry_aos_requests(pe), pe);
    bool is_sent = false;
    SKERRY_AOS_WAIT_UNTIL((is_sent = try_to_send(&end, request)) || !skerry_aos_is_up(pe), pe, policy);
    return is_sent;
}

bool skerry_aos_send_request(const struct skerry_aos_request *request, int pe, uint32_t policy) {
    bool is_sent = skerry_aos_send_awaited_request(request, pe, policy);
    if (is_sent && !SKERRY_AOS_IS_FAR(pe)) skerry_aos_interrupt(pe); // a far PE is interrupted by the message's handler
    return is_sent;
}

int skerry_aos_await(aos_event_t *event, int pe) {
    if (SKERRY_AOS_IS_FAR(pe)) return aos_event_wait(event); // the handler of the message has interrupted that PE
    const int64_t *done = event->word;
    int polls = skerry_is_oversubscribed() ? 0 : POLLS_BEFORE_CALL;
    while (polls > 0 && SKERRY_LOAD_ACQUIRE(done) < event->value) {
        polls--;
        if (skerry_aos_progress() > 0) continue;
#if SKERRY_REQUEST_PARTS
        skerry_relax();
#endif
    }
    if (polls == 0) skerry_aos_interrupt(pe);
    return aos_event_wait(event);
}

// -- Attention ---------------------------------------------------------------------------------------------------------

#if SKERRY_INTERRUPT_NUMBERS

// Handles the interrupt by which other PEs announce requests: runs all requests that have arrived. If a thread holds
// serve_lock already, that thread runs the new requests too.
static void serve_all(void) {
    while (skerry_aos_progress() >= SERVED_AT_ONCE) {
    }
}

// Lets requests of other PEs interrupt this PE. Until the first request arrives, the waits of this PE do not poll for
// requests, because each poll takes time. Any PE can send requests to this PE through aos_segment_of_pe, but few PEs
// do.
static void accept_rare_requests(void) {
    skerry_on_rare_interrupt(INTERRUPT, serve_all);
}

void skerry_aos_poll_requests(void) {
    skerry_on_interrupt(INTERRUPT, serve_all);
    skerry_accept_requests(); // need not wait for skerry_job_open: the requests access only memory of this PE
}

void skerry_aos_end_serving(void) {
    skerry_on_interrupt(INTERRUPT, 0);
}

void skerry_aos_interrupt(int pe) {
    skerry_interrupt(pe, INTERRUPT);
}

#else

static void accept_rare_requests(void) {
}

void skerry_aos_poll_requests(void) {
}

void skerry_aos_end_serving(void) {
}

void skerry_aos_interrupt(int pe) {
    skerry_wake(pe);
}

#endif

void skerry_aos_begin_serving(void) {
    struct skerry_queue *queue = skerry_aos_requests(skerry_my_pe());
    skerry_queue_create(queue, SKERRY_AOS_REQUESTS, SKERRY_AOS_REQUEST_SLOT, false);
    while (skerry_queue_first(queue)) skerry_queue_release(queue); // drops requests to an earlier process of this PE
    accept_rare_requests();
}

#else // no requests: each PE reaches all memory by loads and stores

void skerry_aos_begin_serving(void) {
}

void skerry_aos_end_serving(void) {
}

void skerry_aos_poll_requests(void) {
}

void skerry_aos_interrupt(int pe) {
    skerry_wake(pe);
}

bool skerry_aos_has_request(void) {
    return false;
}

int skerry_aos_progress(void) {
#if SKERRY_FAR_MESSAGES
    if (skerry_aos.area) skerry_far_poll();
#endif
    if (skerry_aos.area && skerry_aos_can_defer()) skerry_aos_poll_deferred(skerry_my_pe());
    return 0;
}

#endif
