// SPDX-License-Identifier: BSD-3-Clause
// Uses segments and queues of PEs of other nodes, by messages to these nodes. landing.c handles the messages. Also asks
// other nodes for their part of the index, the table that finds a segment by its number. PEs of one node do the same
// operations without messages, by loads and stores.
//
// If the PEs of the target's node access the memory by loads and stores, puts and gets need no messages of this file.
// The machine's own put and get work between nodes for such memory.
//
// A thread must not send a message while it holds a lock of an area (a PE's tables). The reason: a thread that sends
// can have to handle messages of other nodes. Their handlers take these locks.
#include "credits.h"
#include "internal.h"

#if SKERRY_FAR_MESSAGES

#define INTERVAL_PART 50000 // the first interval of a wait is this part of a second
#define INTERVAL_DOUBLINGS 6

// -- Waiting -----------------------------------------------------------------------------------------------------------

struct skerry_aos_far_wait skerry_aos_begin_far_wait(uint32_t policy) {
    return (struct skerry_aos_far_wait){skerry_aos_begin_wait(policy), 0};
}

void skerry_aos_far_pause(struct skerry_aos_far_wait *wait) {
    const uint64_t first = skerry_ticks_per_second() / INTERVAL_PART;
    const uint64_t begin = skerry_ticks();
    if (wait->interval == 0) wait->interval = first;
    else if (wait->interval < first << INTERVAL_DOUBLINGS) wait->interval *= 2;
    skerry_pause_again(&wait->waiter.pause);
    while (skerry_ticks() - begin < wait->interval) skerry_aos_pause(&wait->waiter, skerry_my_pe());
}

bool skerry_aos_is_time_to_ask(uint64_t *last_time) {
    const uint64_t now = skerry_ticks(), before = __atomic_load_n(last_time, __ATOMIC_RELAXED);
    if (now - before < skerry_ticks_per_second() / 1000) return false;
    __atomic_store_n(last_time, now, __ATOMIC_RELAXED);
    return true;
}

// -- Asking ------------------------------------------------------------------------------------------------------------

static struct skerry_aos_far_answer ask(int pe, const struct skerry_aos_far_message *message) {
    union {
        struct skerry_aos_far_answer answer;
        char room[SKERRY_FAR_ANSWER_MAX];
    } got;
    _Static_assert(sizeof got.answer <= SKERRY_FAR_ANSWER_MAX, "an answer fits");
    skerry_far_ask(pe, SKERRY_AOS_MESSAGE, message, skerry_aos_far_bytes(message->kind, false), &got);
    return got.answer;
}

static int32_t ask_with_data(int pe, const struct skerry_aos_far_message *message, const void *data, size_t bytes,
                             struct skerry_aos_far_answer *answer) {
    struct skerry_aos_far_stage whole;
    union {
        struct skerry_aos_far_answer answer;
        char room[SKERRY_FAR_ANSWER_MAX];
    } got;
    const size_t before = skerry_aos_far_bytes(message->kind, false);
    __builtin_memcpy(&whole.message, message, before);
    whole.message.bytes = (uint32_t)bytes;
    if (bytes > 0) skerry_copy((char *)&whole + before, data, bytes);
    skerry_far_ask(pe, SKERRY_AOS_MESSAGE, &whole, before + bytes, &got);
    if (answer) *answer = got.answer;
    return got.answer.outcome;
}

bool skerry_aos_far_is_up(int pe) {
#if SKERRY_FAR_WATCHES // the memory of an ended program must not be accessed, but its PE handles messages
    if (!skerry_far_is_running(pe)) return false;
    const struct skerry_aos_far_message message = {.kind = SKERRY_AOS_FAR_IS_UP};
    return ask(pe, &message).outcome != 0;
#else
    return skerry_atomic_load_32(&skerry_aos.area->state, pe) == SKERRY_AOS_UP;
#endif
}

// -- The index ---------------------------------------------------------------------------------------------------------

bool skerry_aos_far_find(uint64_t id, struct skerry_aos_entry *copy) {
    const struct skerry_aos_far_message message = {.kind = SKERRY_AOS_FAR_FIND, .u.entry.id = id};
    struct skerry_aos_far_answer answer = ask(skerry_aos_home(id), &message);
    if (answer.outcome != SKERRY_AOS_FAR_DONE) return false;
    *copy = answer.entry;
    return true;
}

static int send_to_home(enum skerry_aos_far_kind kind, const struct skerry_aos_entry *entry) {
    struct skerry_aos_far_message message = {.kind = kind, .u.entry = *entry};
    message.u.entry.original = (uint32_t)skerry_aos_reference(entry);
    message.u.entry.original_generation = entry->generation;
    return ask(skerry_aos_home(entry->id), &message).outcome;
}

int skerry_aos_far_register(const struct skerry_aos_entry *entry) {
    return send_to_home(SKERRY_AOS_FAR_REGISTER, entry);
}

void skerry_aos_far_publish(const struct skerry_aos_entry *entry) {
    send_to_home(SKERRY_AOS_FAR_PUBLISH, entry);
}

void skerry_aos_far_unregister(const struct skerry_aos_entry *entry) {
    send_to_home(SKERRY_AOS_FAR_UNREGISTER, entry);
}

// -- Operations --------------------------------------------------------------------------------------------------------

#if SKERRY_PRIVATE_MEMORY

bool skerry_aos_far_request(const struct skerry_aos_request *request, int pe, uint32_t policy) {
    const struct skerry_aos_far_message message = {
        .kind = SKERRY_AOS_FAR_REQUEST, .reference = request->reference, .u.request = *request};
    const size_t bytes = request->kind == SKERRY_AOS_MOVE_TO ? (size_t)(request->block_bytes * request->blocks) : 0;
    struct skerry_aos_far_answer answer;
    struct skerry_aos_far_wait wait = skerry_aos_begin_far_wait(policy);
    while (ask_with_data(pe, &message, request->stage, bytes, &answer) == SKERRY_AOS_FAR_FULL)
        skerry_aos_far_pause(&wait);
    skerry_aos_end_wait(&wait.waiter);
    if (answer.outcome == SKERRY_AOS_FAR_DONE_NOW)
        skerry_aos_answer(skerry_my_pe(), request->reply, request->sequence, 0, answer.error);
    return answer.outcome != SKERRY_AOS_FAR_GONE;
}

#endif

#if SKERRY_FAR_WATCHES

// The owner of the word watches for changes that make the condition of a conditional atomic hold. So the machine's own
// atomics are enough.
int skerry_aos_far_atomic(const aos_segment_t *segment, const struct skerry_aos_way *way, uint32_t operation,
                          int64_t value, int64_t expected, int64_t *result) {
    uint64_t *word = (uint64_t *)(uintptr_t)way->address;
    (void)segment;
    if (!skerry_aos_has_answer(operation)) {
        skerry_aos_post_near(word, operation, (uint64_t)value, way->owner);
        return AOS_SUCCESS;
    }
    if (operation == SKERRY_AOS_FETCH_CLEAR) value = 0;
    const uint64_t before = skerry_aos_fetch_near(word, operation, (uint64_t)value, (uint64_t)expected, way->owner);
    if (result) *result = (int64_t)before;
    return AOS_SUCCESS;
}

#else

int skerry_aos_far_atomic(const aos_segment_t *segment, const struct skerry_aos_way *way, uint32_t operation,
                          int64_t value, int64_t expected, int64_t *result) {
    const bool is_answered = skerry_aos_has_answer(operation);
    const struct skerry_aos_far_message message = {
        .kind = is_answered ? SKERRY_AOS_FAR_FETCH : SKERRY_AOS_FAR_POST,
        .reference = skerry_aos_reference_of(segment),
        .u.atomic = {.word = way->address, .value = value, .expected = expected, .operation = operation}};
    if (!is_answered) {
        skerry_far_send(way->owner, SKERRY_AOS_MESSAGE, &message, skerry_aos_far_bytes(message.kind, false));
        return AOS_SUCCESS;
    }
    struct skerry_aos_far_answer answer = ask(way->owner, &message);
    if (answer.outcome == SKERRY_AOS_FAR_GONE) return AOS_ERROR_GONE;
    if (result) *result = answer.value;
    return AOS_SUCCESS;
}

#endif

void skerry_aos_far_changed(int owner, bool is_private) {
    const struct skerry_aos_far_message message = {.kind = SKERRY_AOS_FAR_CHANGED, .u.is_private = is_private};
    skerry_far_send(owner, SKERRY_AOS_MESSAGE, &message, skerry_aos_far_bytes(message.kind, false));
}

void skerry_aos_far_answer(int initiator, uint32_t reply, uint64_t sequence, int64_t value, int error, int deferred_at,
                           struct skerry_aos_far_stage *stage, size_t bytes, uint64_t dest) {
    struct skerry_aos_far_message alone, *message = stage ? &stage->message : &alone;
    *message = (struct skerry_aos_far_message){.kind = SKERRY_AOS_FAR_ANSWER,
                                               .bytes = (uint32_t)bytes,
                                               .u.answer = {.sequence = sequence,
                                                            .value = value,
                                                            .dest = dest,
                                                            .reply = reply,
                                                            .error = error,
                                                            .deferred_at = deferred_at}};
    skerry_far_send(initiator, SKERRY_AOS_MESSAGE, message, skerry_aos_far_bytes(SKERRY_AOS_FAR_ANSWER, stage) + bytes);
}

// -- Queues ------------------------------------------------------------------------------------------------------------

// State of an enqueue into the queue of a PE of another node. `message` is the network message and `answer` its answer.
// `data` is the message for the queue.
struct enqueue {
    struct skerry_aos_far_message message;
    struct skerry_aos_far_answer answer;
    const void *data;
    size_t bytes;
    int owner;
};

// Asks the owner's node to do the next step of an enqueue, and returns the outcome. `flags` are the flags of this step
// only. The flags in `kept` stay the same in all steps of the enqueue.
static int32_t ask_queue(struct enqueue *enqueue, uint32_t flags) {
    const bool has_data = flags & SKERRY_AOS_FAR_HAS_DATA;
    uint32_t kept = enqueue->message.u.enqueue.flags & (SKERRY_AOS_FAR_WAITS | SKERRY_AOS_FAR_HAS_TICKET);
    enqueue->message.u.enqueue.flags = kept | flags;
    ask_with_data(enqueue->owner, &enqueue->message, enqueue->data, has_data ? enqueue->bytes : 0, &enqueue->answer);
    const int32_t outcome = enqueue->answer.outcome;
    if (outcome == SKERRY_AOS_FAR_WAIT || outcome == SKERRY_AOS_FAR_ROOM) {
        enqueue->message.u.enqueue.flags |= SKERRY_AOS_FAR_HAS_TICKET;
        enqueue->message.u.enqueue.ticket = (uint64_t)enqueue->answer.value;
    }
    return outcome;
}

// Puts the queue's message into its slot, and publishes the slot. Used for a message that is too long for a network
// message.
//
// Why the queue's memory is not reused meanwhile: a process of the owner's node has answered SKERRY_AOS_FAR_ROOM (the
// slot is free). That process has also counted this PE as a writer of the queue (landing.c, enter). The owner does not
// reuse the memory before this count is reduced, which is after the slot is published.
static int32_t put_and_publish(struct enqueue *enqueue) {
    skerry_put((void *)(uintptr_t)enqueue->answer.slot, enqueue->data, enqueue->bytes, enqueue->owner);
    return ask_queue(enqueue, SKERRY_AOS_FAR_HAS_PUT);
}

#if SKERRY_FAR_WATCHES

// Enqueues to a queue whose slots are promised (credits.c). Without a credit the owner is asked for a slot. This also
// gets credits for the next messages.
static int32_t enqueue_promised(struct enqueue *enqueue, const aos_queue_t *queue, uint32_t flags, bool waits) {
    do {
        if (skerry_aos_enqueue_with_credit(queue, enqueue->data, enqueue->bytes)) return SKERRY_AOS_FAR_DONE;
        skerry_far_order_begun_puts(); // the reader of the message also sees this PE's earlier puts
        int32_t outcome = ask_queue(enqueue, flags);
        if (outcome == SKERRY_AOS_FAR_ROOM) outcome = put_and_publish(enqueue);
        if (outcome != SKERRY_AOS_FAR_FULL) return outcome;
    } while (skerry_aos_make_room(queue, (uint64_t)enqueue->answer.value, waits));
    return SKERRY_AOS_FAR_FULL;
}

uint32_t skerry_aos_far_ask_for_credits(int pe, int owner, uint32_t identity, uint32_t new_identity) {
    const struct skerry_aos_far_message message = {
        .kind = SKERRY_AOS_FAR_GIVE_BACK,
        .u.credits = {.identity = identity, .new_identity = new_identity, .owner = owner}};
    return (uint32_t)ask(pe, &message).value;
}

void skerry_aos_far_send_credits(int owner, uint32_t identity, int pe, uint32_t count) {
    const struct skerry_aos_far_message message = {
        .kind = SKERRY_AOS_FAR_PUT_BACK, .u.credits = {.identity = identity, .owner = owner, .pe = pe, .count = count}};
    skerry_far_send(owner, SKERRY_AOS_MESSAGE, &message, skerry_aos_far_bytes(message.kind, false));
}

#endif

static int error_of(int32_t outcome) {
    if (outcome == SKERRY_AOS_FAR_FULL) return AOS_ERROR_FULL;
    return outcome == SKERRY_AOS_FAR_DONE ? AOS_SUCCESS : AOS_ERROR_GONE;
}

int skerry_aos_far_enqueue(aos_queue_t *queue, const void *message, size_t bytes, bool waits) {
    const bool is_long = bytes > SKERRY_AOS_FAR_PIECE;
    const uint32_t flags = is_long ? SKERRY_AOS_FAR_PUTS : SKERRY_AOS_FAR_HAS_DATA;
    struct enqueue enqueue = {.message = {.kind = SKERRY_AOS_FAR_ENQUEUE,
                                          .reference = skerry_aos_reference_of(&queue->segment),
                                          .u.enqueue = {.queue = (uint64_t)(uintptr_t)queue->queue,
                                                        .flags = waits ? SKERRY_AOS_FAR_WAITS : 0,
                                                        .bytes = (uint32_t)bytes}},
                              .data = message,
                              .bytes = bytes,
                              .owner = queue->segment.owner};
#if SKERRY_FAR_WATCHES
    if (queue->flags & SKERRY_AOS_PROMISES) return error_of(enqueue_promised(&enqueue, queue, flags, waits));
#endif
    skerry_far_order_begun_puts(); // the reader of the message also sees this PE's earlier puts
    skerry_aos_order_private_puts(queue->segment.owner, queue->segment.waiting);
    int32_t outcome = ask_queue(&enqueue, flags);
    if (outcome == SKERRY_AOS_FAR_WAIT) {
        struct skerry_aos_far_wait wait = skerry_aos_begin_far_wait(queue->segment.waiting);
        // These messages only ask for a free slot. The queue's message is sent when the slot is free.
        do skerry_aos_far_pause(&wait);
        while ((outcome = ask_queue(&enqueue, is_long ? SKERRY_AOS_FAR_PUTS : 0)) == SKERRY_AOS_FAR_WAIT);
        skerry_aos_end_wait(&wait.waiter);
        if (outcome == SKERRY_AOS_FAR_ROOM && !is_long) outcome = ask_queue(&enqueue, flags);
    }
    if (outcome == SKERRY_AOS_FAR_ROOM) outcome = put_and_publish(&enqueue);
    return error_of(outcome);
}

// -- Conditional atomics -----------------------------------------------------------------------------------------------

int skerry_aos_far_defer(struct skerry_aos_deferred *wanted, int owner, uint32_t policy) {
    const int me = skerry_my_pe();
    const struct skerry_aos_far_message message = {
        .kind = SKERRY_AOS_FAR_DEFER, .reference = wanted->reference, .u.deferred = *wanted};
    struct skerry_aos_far_answer answer;
    // Counts the atomic before its message is sent. The reason: the answer can arrive before this PE continues, and the
    // handler of the answer subtracts 1.
    skerry_atomic_add_64(&skerry_aos.area->outstanding, 1, me);
    skerry_atomic_add_32(&skerry_aos.area->far_deferred[owner], 1, me);
    struct skerry_aos_far_wait wait = skerry_aos_begin_far_wait(policy);
    while ((answer = ask(owner, &message)).outcome == SKERRY_AOS_FAR_FULL) skerry_aos_far_pause(&wait);
    skerry_aos_end_wait(&wait.waiter);
    if (answer.outcome == SKERRY_AOS_FAR_DEFERRED) return AOS_SUCCESS;
    skerry_atomic_add_32(&skerry_aos.area->far_deferred[owner], 0u - 1, me);
    skerry_atomic_add_64(&skerry_aos.area->outstanding, (uint64_t)-1, me);
    if (answer.outcome == SKERRY_AOS_FAR_GONE) return AOS_ERROR_GONE;
    skerry_aos_answer(me, wanted->reply, wanted->sequence, answer.value, answer.error);
    return AOS_SUCCESS;
}

// Returns true if a conditional atomic of this PE on the segment is in the owner's list. Also returns true if its
// answer is possibly still in transit. No answer is in transit if
//     answers that have arrived == atomics that this PE has deferred - its atomics in the list.
// If another thread defers an atomic during this call, the result is possibly true although false is right. This does
// no harm, because the caller asks again.
bool skerry_aos_far_has_deferred(int owner, uint64_t reference) {
    const struct skerry_aos_far_message message = {.kind = SKERRY_AOS_FAR_HAS_DEFERRED, .reference = reference};
    struct skerry_aos_far_answer answer = ask(owner, &message);
    if (answer.outcome != 0) return true;
    const uint32_t deferred = SKERRY_LOAD_ACQUIRE(&skerry_aos.area->far_deferred[owner]);
    const uint32_t answered = SKERRY_LOAD_ACQUIRE(&skerry_aos.area->far_answered[owner]);
    return (int32_t)(answered - (deferred - (uint32_t)answer.value)) < 0;
}

#endif
