// SPDX-License-Identifier: BSD-3-Clause
// Handles the messages of PEs of other nodes (far_internal.h). A handler runs in any process of the target's node, even
// in a process that has not called aos_init. The handler does what a PE of the target's node would do: it calls the
// same functions, on the same tables, under the same locks. A handler never waits, except for a lock of a table, whose
// holder never waits for anything.
#define SKERRY_AOS_HAS_DEFERRED
#include "credits.h"
#include "internal.h"

#if SKERRY_FAR_MESSAGES

static bool is_current(uint64_t reference) {
    return reference == 0 || skerry_aos_is_current(reference);
}

// -- The index ---------------------------------------------------------------------------------------------------------

static void find(const struct skerry_aos_far_message *message, struct skerry_aos_far_answer *answer) {
    answer->entry = (struct skerry_aos_entry){0};
    answer->outcome =
        skerry_aos_find_copy(message->u.entry.id, &answer->entry) ? SKERRY_AOS_FAR_DONE : SKERRY_AOS_FAR_NONE;
}

#if SKERRY_PRIVATE_MEMORY

// -- Requests to the owner of private memory ---------------------------------------------------------------------------

// Takes a free far stage (a buffer for the data of a request from another node) of PE `pe`. Returns NULL if no far
// stage is free.
static struct skerry_aos_far_stage *take_stage(int pe) {
    struct skerry_aos_area *area = skerry_aos_area(pe);
    uint32_t held = skerry_atomic_load_32(&area->far_stages_in_use, pe);
    for (uint32_t i = 0; i < SKERRY_AOS_FAR_STAGES;) {
        if (held >> i & 1) {
            i++;
            continue;
        }
        const uint32_t before = held;
        held = skerry_atomic_claim_32(&area->far_stages_in_use, before, before | 1u << i, pe);
        if (held == before) return &area->far_stages[i];
        i = 0;
    }
    return 0;
}

static void free_stage(int pe, const struct skerry_aos_far_stage *stage) {
    struct skerry_aos_area *area = skerry_aos_area(pe);
    skerry_atomic_and_32(&area->far_stages_in_use, ~(1u << (stage - area->far_stages)), pe);
}

struct skerry_aos_far_stage *skerry_aos_far_stage_of(const void *data) {
    struct skerry_aos_area *area = skerry_aos_area(skerry_my_pe());
    return &area->far_stages[((uintptr_t)data - (uintptr_t)area->far_stages) / sizeof area->far_stages[0]];
}

void skerry_aos_return_far_stage(struct skerry_aos_far_stage *stage) {
    free_stage(skerry_my_pe(), stage);
}

static bool needs_stage(const struct skerry_aos_request *request) {
    return request->kind == SKERRY_AOS_MOVE_TO || request->kind == SKERRY_AOS_MOVE_FROM;
}

// Copies the data of a put to the owner's private memory, if the kernel allows this process to do so. Wakes the threads
// of the owner that wait for words of this memory.
static enum skerry_cross_memory put_at_once(int pe, const struct skerry_aos_request *request, const void *data) {
    enum skerry_cross_memory outcome = skerry_cross_memory_put(
        (uintptr_t)request->address, data, (ptrdiff_t)request->pitch, (ptrdiff_t)request->block_bytes,
        (size_t)request->block_bytes, (size_t)request->blocks, pe);
    if (outcome == SKERRY_CROSS_MEMORY_DONE) skerry_wake(pe);
    return outcome;
}

static enum skerry_cross_memory get_at_once(int pe, const struct skerry_aos_request *request, void *data) {
    return skerry_cross_memory_get(data, (uintptr_t)request->address, (ptrdiff_t)request->block_bytes,
                                   (ptrdiff_t)request->pitch, (size_t)request->block_bytes, (size_t)request->blocks,
                                   pe);
}

// Handles a request. For a put or a get, first tries to copy the data itself. Puts any other request into the owner's
// queue and interrupts the owner. Does the same for a put or get if the kernel does not allow the copy.
static int32_t handle_request(int pe, int from, const struct skerry_aos_far_message *message, int32_t *error) {
    struct skerry_aos_request request = message->u.request;
    struct skerry_aos_far_stage *stage = 0;
    enum skerry_cross_memory outcome = SKERRY_CROSS_MEMORY_REFUSED;
    if (!skerry_aos_is_up(pe) || !is_current(message->reference)) return SKERRY_AOS_FAR_GONE;
    if (request.kind == SKERRY_AOS_MOVE_TO) outcome = put_at_once(pe, &request, message + 1);
    if (needs_stage(&request) && outcome == SKERRY_CROSS_MEMORY_REFUSED) {
        stage = take_stage(pe);
        if (!stage) return SKERRY_AOS_FAR_FULL;
        request.stage = stage->data;
    }
    if (request.kind == SKERRY_AOS_MOVE_FROM) outcome = get_at_once(pe, &request, stage->data);
    if (request.kind == SKERRY_AOS_MOVE_FROM && outcome == SKERRY_CROSS_MEMORY_DONE) {
        skerry_aos_far_answer(from, request.reply, request.sequence, 0, AOS_SUCCESS, -1, stage,
                              (size_t)(request.block_bytes * request.blocks), request.dest);
        free_stage(pe, stage);
        return SKERRY_AOS_FAR_DONE;
    }
    if (outcome != SKERRY_CROSS_MEMORY_REFUSED) {
        if (stage) free_stage(pe, stage);
        if (outcome == SKERRY_CROSS_MEMORY_FAULT) *error = AOS_ERROR_FAULT;
        return SKERRY_AOS_FAR_DONE_NOW;
    }
    if (message->bytes > 0) skerry_copy(stage->data, message + 1, message->bytes);
    if (skerry_aos_try_to_send_request(&request, pe)) {
        skerry_aos_interrupt(pe);
        return SKERRY_AOS_FAR_DONE;
    }
    if (stage) free_stage(pe, stage);
    return SKERRY_AOS_FAR_FULL;
}

#endif

// -- Queues ------------------------------------------------------------------------------------------------------------

// Counts the sender of a message among the writers of PE `pe`'s queues. While the count is not 0, PE `pe` does not
// reuse the memory of a destroyed queue (making.c). The fence orders the count before the load of the queue's
// generation, a number that changes when the queue is destroyed.
static void enter(int pe) {
    skerry_atomic_add_32(&skerry_aos_area(pe)->others_inside, 1, pe);
    skerry_aos_full_fence();
}

static void leave(int pe) {
    skerry_atomic_add_32(&skerry_aos_area(pe)->others_inside, 0u - 1, pe);
}

// Takes a ticket (the number of a message in the queue) for the sender's message, if the sender has none. Returns false
// if the queue is full and the sender does not wait. A queue with AOS_ONE_SENDER has only one sender. That sender takes
// its ticket only when it fills the slot, so this function only reads the number of the ticket.
static bool take_ticket(struct skerry_queue_end *end, bool one_sender, uint32_t flags, skerry_word *ticket) {
    if (flags & SKERRY_AOS_FAR_HAS_TICKET) return true;
    if (one_sender) {
        *ticket = skerry_atomic_poll(&end->queue->tail, end->owner);
        return flags & SKERRY_AOS_FAR_WAITS || skerry_queue_has_room(end, *ticket);
    }
    if (!(flags & SKERRY_AOS_FAR_WAITS)) return skerry_queue_try_ticket(end, ticket);
    *ticket = skerry_queue_take_ticket(end);
    return true;
}

// Does one step of an enqueue. The caller must have called enter(), which counts the sender as a writer. Sets `*stays`
// to true if the sender will now put its message into the slot. In this case the caller must not call leave(), which
// ends the count. While the sender is counted, the owner does not reuse the queue's memory.
static int32_t enqueue_step(int pe, int from, const struct skerry_aos_far_message *message,
                            struct skerry_aos_far_answer *answer, bool *stays) {
    const uint32_t flags = message->u.enqueue.flags;
    const struct skerry_aos_entry *entry = skerry_aos_entry_of(message->reference);
    bool one_sender = entry->flags & AOS_ONE_SENDER;
    skerry_word ticket = (skerry_word)message->u.enqueue.ticket;
    struct skerry_queue_end end;
    skerry_queue_open(&end, (struct skerry_queue *)(uintptr_t)message->u.enqueue.queue, pe);
#if SKERRY_FAR_WATCHES
    if (entry->identity) {
        one_sender = false; // all senders take tickets
        if (!(flags & SKERRY_AOS_FAR_HAS_TICKET) &&
            !skerry_aos_promise_for((struct skerry_queue *)(uintptr_t)message->u.enqueue.queue, entry->identity, from,
                                    flags & SKERRY_AOS_FAR_WAITS, &answer->value))
            return SKERRY_AOS_FAR_FULL;
    }
#else
    (void)from;
#endif
    if (!take_ticket(&end, one_sender, flags, &ticket)) return SKERRY_AOS_FAR_FULL;
    answer->value = (int64_t)ticket;
    if (!(flags & SKERRY_AOS_FAR_HAS_PUT) && !skerry_queue_has_room(&end, ticket)) return SKERRY_AOS_FAR_WAIT;
    struct skerry_queue_slot *slot = skerry_queue_slot_of(&end, ticket);
    answer->slot = (uint64_t)(uintptr_t)slot->message;
    *stays = flags & SKERRY_AOS_FAR_PUTS;
    if (!(flags & (SKERRY_AOS_FAR_HAS_DATA | SKERRY_AOS_FAR_HAS_PUT))) return SKERRY_AOS_FAR_ROOM;
    if (one_sender) skerry_put_value(skerry_word, &end.queue->tail, ticket + 1, pe);
    if (flags & SKERRY_AOS_FAR_HAS_DATA) skerry_copy(slot->message, skerry_aos_far_data(message), message->bytes);
    skerry_queue_publish_slot(&end, slot, ticket, message->u.enqueue.bytes);
    return SKERRY_AOS_FAR_DONE;
}

static void enqueue(int pe, int from, const struct skerry_aos_far_message *message,
                    struct skerry_aos_far_answer *answer) {
    bool stays = false;
    enter(pe);
    answer->outcome = SKERRY_AOS_FAR_GONE;
    if (is_current(message->reference)) answer->outcome = enqueue_step(pe, from, message, answer, &stays);
    if (!stays) leave(pe);
    // The sender has put its message into the slot. The handler of an earlier message of the sender
    // (SKERRY_AOS_FAR_PUTS) has counted the sender by enter(). Ends this count.
    if (message->u.enqueue.flags & SKERRY_AOS_FAR_HAS_PUT) leave(pe);
}

// -- Atomics -----------------------------------------------------------------------------------------------------------

static void run_deferred(int pe) {
    if (skerry_aos_has_any_deferred(pe)) skerry_aos_run_deferred(pe);
}

static void do_atomic(int pe, const struct skerry_aos_far_message *message, struct skerry_aos_far_answer *answer) {
    const struct skerry_aos_place place = {message->u.atomic.word, pe, false};
    answer->outcome = SKERRY_AOS_FAR_GONE;
    if (!is_current(message->reference)) return;
    answer->outcome = SKERRY_AOS_FAR_DONE;
    skerry_aos_modify(&place, message->u.atomic.operation, message->u.atomic.value, message->u.atomic.expected, 0, 0,
                      &answer->value);
    run_deferred(pe);
}

static void defer(int pe, const struct skerry_aos_far_message *message, struct skerry_aos_far_answer *answer) {
    struct skerry_aos_deferred wanted = message->u.deferred;
    answer->outcome = SKERRY_AOS_FAR_GONE;
    if (wanted.is_private && !skerry_aos_is_up(pe)) return;
    answer->outcome = skerry_aos_defer_for(&wanted, pe, &answer->value, &answer->error);
}

static void changed(int pe, const struct skerry_aos_far_message *message) {
    if (!skerry_aos_has_any_deferred(pe)) return;
    skerry_aos_run_deferred(pe);
    if (message->u.is_private) skerry_aos_interrupt(pe);
}

// -- Answers -----------------------------------------------------------------------------------------------------------

// Handles the answer to an operation of PE `pe` that PE `from` has done. The data is copied before the reply is stored,
// because PE `pe` uses the data as soon as it sees the reply.
static void take_answer(int pe, int from, const struct skerry_aos_far_message *message) {
    if (message->bytes > 0) skerry_copy((void *)(uintptr_t)message->u.answer.dest, message + 1, message->bytes);
    const int deferred_at = message->u.answer.deferred_at, at = deferred_at < 0 ? from : deferred_at;
    skerry_aos_store_answer(pe, at, message->u.answer.reply, message->u.answer.sequence, message->u.answer.value,
                            message->u.answer.error);
    if (deferred_at < 0) return;
    skerry_atomic_add_32(&skerry_aos_area(pe)->far_answered[deferred_at], 1, pe);
    skerry_atomic_add_64(&skerry_aos_area(pe)->outstanding, (uint64_t)-1, pe);
}

static size_t handle(int pe, int from, const void *arrived, size_t bytes, void *room) {
    struct skerry_aos_far_answer *answer = room;
    const struct skerry_aos_far_message *message = arrived;
    size_t answered = offsetof(struct skerry_aos_far_answer, entry);
    (void)bytes;
    __builtin_memset(answer, 0, answered); // only FIND uses and sends the entry
    switch ((enum skerry_aos_far_kind)message->kind) {
    case SKERRY_AOS_FAR_FIND:
        find(message, answer);
        answered = sizeof *answer;
        break;
    case SKERRY_AOS_FAR_REGISTER: answer->outcome = skerry_aos_insert_copy(&message->u.entry, pe); break;
    case SKERRY_AOS_FAR_PUBLISH: skerry_aos_publish_copy(&message->u.entry, pe); break;
    case SKERRY_AOS_FAR_IS_UP: answer->outcome = skerry_aos_is_up(pe); break;
    case SKERRY_AOS_FAR_UNREGISTER: skerry_aos_remove_copy(&message->u.entry, pe); break;
#if SKERRY_PRIVATE_MEMORY
    case SKERRY_AOS_FAR_REQUEST: answer->outcome = handle_request(pe, from, message, &answer->error); break;
#else
    case SKERRY_AOS_FAR_REQUEST: break; // never sent
#endif
    case SKERRY_AOS_FAR_ENQUEUE: enqueue(pe, from, message, answer); break;
    case SKERRY_AOS_FAR_FETCH:
    case SKERRY_AOS_FAR_POST: do_atomic(pe, message, answer); break;
    case SKERRY_AOS_FAR_DEFER: defer(pe, message, answer); break;
    case SKERRY_AOS_FAR_HAS_DEFERRED:
        answer->outcome = skerry_aos_has_deferred_of(pe, from, message->reference, &answer->value);
        break;
#if SKERRY_FAR_WATCHES
    case SKERRY_AOS_FAR_GIVE_BACK: answer->value = skerry_aos_give_back(message); break;
    case SKERRY_AOS_FAR_PUT_BACK: skerry_aos_put_back(message); break;
#else
    case SKERRY_AOS_FAR_GIVE_BACK:
    case SKERRY_AOS_FAR_PUT_BACK: break; // never sent
#endif
    case SKERRY_AOS_FAR_CHANGED: changed(pe, message); break;
    case SKERRY_AOS_FAR_ANSWER: take_answer(pe, from, message); break;
    }
    return answered;
}

static void watch(void) {
    skerry_aos_poll_deferred(skerry_my_pe());
}

__attribute__((constructor)) void skerry_aos_listen(void) {
    skerry_far_on_message(SKERRY_AOS_MESSAGE, handle);
#if SKERRY_FAR_WATCHES
    skerry_far_watch(&skerry_aos_area(skerry_my_pe())->deferred_count, watch);
    skerry_aos_listen_for_credits();
#else
    (void)watch;
#endif
}

#endif
