// SPDX-License-Identifier: BSD-3-Clause
// Enqueues to queues of far PEs without an answer, on machines whose PEs have a server (SKERRY_FAR_WATCHES). Each slot of
// such a queue is promised before somebody takes its ticket. A PE gets promises in advance, its *credit*: with a credit it
// sends a message and does not wait, because the queue has room for it. Checked by test/model/queue_credits.pml.
//
// Promises. `promised` of a queue counts them. A promise is made only if
//     promised - head < capacity.
// Each message takes its ticket after its promise, so a ticket always has a free slot. Nobody waits with a ticket, and the
// server, which takes the tickets of far PEs' messages, never waits.
//
// Credits. A PE has two counts for each queue of each other PE: `granted` and `used`. `granted` is written only by packets
// of the queue's server. `used` is incremented by compare-swaps of the PE's threads, one for each message. The server
// grants credits when a message says that few are left, and when it answers a message without a credit.
//
// Waiting senders. A PE that finds no room is noted by the owner (`waiting`). The server polls such queues, and grants
// credits to these PEs in turn when there is room. So they poll only their own memory.
//
// Idle credits. A PE that finds the queue full asks the PEs with credits to give them back. There the server sets `used` to
// `granted`. So a PE with credits that it does not use cannot keep others from a queue that has room.
//
// The end. Each queue has an identity, which changes when it ends; a PE's credits are valid only for the identity that the
// server wrote with them. A message with an old identity is dropped. The owner takes all credits back before the entry of a
// queue is used again, so a sender whose call begins after the queue's end is told that the queue is gone.
#include "credits.h"
#include "internal.h"

#if SKERRY_FAR_WATCHES

#define GRANT_MOST 16u     // credits that are granted at once
#define LEFT_AT_REQUEST 8u // with so many credits left, a message asks for more
// Cycles for which a sender waits for credits before it asks again. The server grants much sooner if there is room.
#define WAIT_FOR_CREDIT 20000u

#define NUMBER_BITS                                                                                                    \
    8 // of an identity: 1 + the number of the queue among its owner's queues with promises; 0: no promises

static uint32_t number_of(uint32_t identity) {
    return (identity & ((1u << NUMBER_BITS) - 1)) - 1;
}

// The area of this PE is known, because a PE with a queue has called aos_init.
static struct skerry_aos_promises *promises_of(uint32_t identity) {
    return &skerry_aos.area->promises[number_of(identity)];
}

static struct skerry_aos_credit *credit_of(int owner, uint32_t identity, int pe) {
    return &skerry_aos_area(pe)->credits[owner][number_of(identity)];
}

// -- Promises ----------------------------------------------------------------------------------------------------------

// Promises `count` slots of this PE's queue. Returns false, and promises none, if it has not as much room. The load of
// `head` is an acquire: the reader has left the slot before its sender writes to it.
static bool promise(struct skerry_queue *queue, uint32_t count) {
    uint32_t before = SKERRY_LOAD_ACQUIRE(&queue->promised);
    for (;;) {
        if (before + count - (uint32_t)SKERRY_LOAD_ACQUIRE(&queue->head) > queue->capacity) return false;
        const uint32_t found = skerry_atomic_claim_32(&queue->promised, before, before + count, skerry_my_pe());
        if (found == before) return true;
        before = found;
    }
}

static uint32_t room_of(const struct skerry_queue *queue) {
    return queue->capacity - (SKERRY_LOAD_ACQUIRE(&queue->promised) - (uint32_t)SKERRY_LOAD_ACQUIRE(&queue->head));
}

// The two words of a credit that the server writes are one packet, so they arrive together.
static void grant(struct skerry_queue *queue, uint32_t identity, int pe, uint32_t count) {
    struct skerry_aos_promises *promises = promises_of(identity);
    const int me = skerry_my_pe();
    if (count == 0 || !promise(queue, count)) return;
    skerry_atomic_add_32(&promises->unused[pe], count, me);
    promises->granted[pe] += count;
    const uint64_t pair = (uint64_t)identity << 32 | promises->granted[pe];
    skerry_far_put_by_handler((uint64_t *)(void *)&credit_of(me, identity, pe)->granted, pair, pe);
}

// Grants credits to PE `pe`, which has few left, so that several PEs can do so: a quarter of the room. If there is not as
// much room, the PE waits for it.
static void grant_more(struct skerry_queue *queue, uint32_t identity, int pe) {
    const uint32_t room = room_of(queue), count = room / 4 < GRANT_MOST ? room / 4 : GRANT_MOST;
    grant(queue, identity, pe, count);
}

static void wait_for_room(uint32_t identity, int pe) {
    promises_of(identity)->waiting |= 1u << pe;
    skerry_aos.area->queues_waited_for |= 1u << number_of(identity);
}

// Grants credits to the next PE that waits, if the queue has room for some messages or is empty.
static void grant_to_waiting(struct skerry_aos_promises *promises) {
    struct skerry_queue *queue = SKERRY_LOAD_ACQUIRE(&promises->queue);
    const uint32_t identity = SKERRY_LOAD_ACQUIRE(&promises->identity);
    if (!queue) return;
    const uint32_t room = room_of(queue), eighth = queue->capacity / 8;
    if (room == 0 || (room < eighth && room < GRANT_MOST)) return;
    uint32_t pe = promises->last_granted;
    do pe = (pe + 1) % SKERRY_PES_MAX;
    while (!(promises->waiting >> pe & 1));
    promises->last_granted = pe;
    promises->waiting &= ~(1u << pe);
    const uint32_t half = (room + 1) / 2;
    grant(queue, identity, (int)pe, half < GRANT_MOST ? half : GRANT_MOST);
}

void skerry_aos_grant_to_waiting(void) {
    struct skerry_aos_area *area = skerry_aos.area;
    for (uint32_t number = 0, all = area->queues_waited_for; all >> number != 0; number++) {
        if (!(all >> number & 1)) continue;
        struct skerry_aos_promises *promises = &area->promises[number];
        if (promises->waiting) grant_to_waiting(promises);
        if (!promises->waiting) area->queues_waited_for &= ~(1u << number);
    }
}

// -- At the owner: messages --------------------------------------------------------------------------------------------

struct message {
    uint32_t identity;
    uint32_t asks; // 1: the sender has few credits left
    uint8_t data[];
};
#define DATA_MAX (SKERRY_FAR_MESSAGE_MAX - sizeof(struct message))

// Stores the words of a filled slot that say that it is full.
static inline void publish(struct skerry_queue_slot *slot, skerry_word ticket, size_t bytes) {
    slot->note = (uint32_t)bytes;
    __atomic_store_n(&slot->turn, (uint32_t)(ticket + 1), __ATOMIC_RELEASE);
}

// Writes a message with its ticket. The slot is free, because it was promised.
static __attribute__((noinline)) void fill_slot(struct skerry_queue *queue, skerry_word ticket, const void *data,
                                                size_t bytes) {
    struct skerry_queue_slot *slot = skerry_queue_own_slot(queue, ticket);
    skerry_copy(slot->message, data, bytes);
    publish(slot, ticket, bytes);
}

static __attribute__((noinline)) size_t grant_at_request(struct skerry_queue *queue, uint32_t identity, int from) {
    grant_more(queue, identity, from);
    if (promises_of(identity)->unused[from] == 0) wait_for_room(identity, from);
    return 0;
}

static size_t end_message(struct skerry_queue *queue, const struct message *message, int from) {
    __atomic_fetch_sub(&promises_of(message->identity)->unused[from], 1, __ATOMIC_RELAXED);
    return message->asks ? grant_at_request(queue, message->identity, from) : 0;
}

// Does the rest of take_message for a message that skerry_copy_short does not copy.
static __attribute__((noinline)) size_t take_other_message(struct skerry_queue *queue, const struct message *message,
                                                           size_t bytes, skerry_word ticket, int from) {
    fill_slot(queue, ticket, message->data, bytes);
    return end_message(queue, message, from);
}

// Calls other functions only at its end, so it saves no registers.
static size_t take_message(int pe, int from, const void *arrived, size_t all_bytes, void *answer) {
    const struct message *message = arrived;
    const size_t bytes = all_bytes - sizeof *message;
    struct skerry_aos_promises *promises = promises_of(message->identity);
    struct skerry_queue *queue = SKERRY_LOAD_ACQUIRE(&promises->queue);
    (void)pe, (void)answer;
    if (!queue || SKERRY_LOAD_ACQUIRE(&promises->identity) != message->identity) return 0; // the queue has ended
    const skerry_word ticket = __atomic_fetch_add(&queue->tail, 1, __ATOMIC_RELAXED);
    struct skerry_queue_slot *slot = skerry_queue_own_slot(queue, ticket);
    if (!skerry_copy_short(slot->message, message->data, bytes))
        return take_other_message(queue, message, bytes, ticket, from);
    publish(slot, ticket, bytes);
    return end_message(queue, message, from);
}

bool skerry_aos_promise_for(struct skerry_queue *queue, uint32_t identity, int from, bool waits, int64_t *with_credit) {
    const struct skerry_aos_promises *promises = promises_of(identity);
    if (promise(queue, 1)) {
        grant_more(queue, identity, from);
        return true;
    }
    if (waits) wait_for_room(identity, from);
    *with_credit = 0;
    for (int pe = 0; pe < skerry_pe_count(); pe++)
        if (pe != from && promises->unused[pe] != 0) *with_credit |= INT64_C(1) << pe;
    return false;
}

void skerry_aos_listen_for_credits(void) {
    skerry_far_on_message(SKERRY_AOS_QUEUE_MESSAGE, take_message);
    skerry_far_watch(&skerry_aos_area(skerry_my_pe())->queues_waited_for, skerry_aos_grant_to_waiting);
}

// -- Giving credits back -----------------------------------------------------------------------------------------------

// Returns true if a credit's identity is of a later queue. Identities of one number grow.
static bool is_newer(const struct skerry_aos_credit *credit, uint32_t identity) {
    return (int32_t)(SKERRY_LOAD_ACQUIRE(&credit->identity) - identity) > 0;
}

// Takes all credits of this PE for a queue of PE `owner`. Returns their number. With `new_identity`, they are no longer
// valid for the old one: a sender that waits for them asks again.
static uint32_t take_all(int owner, uint32_t identity, uint32_t new_identity) {
    const int me = skerry_my_pe();
    struct skerry_aos_credit *credit = credit_of(owner, identity, me);
    for (;;) {
        const uint32_t used = SKERRY_LOAD_ACQUIRE(&credit->used), granted = SKERRY_LOAD_ACQUIRE(&credit->granted);
        if (is_newer(credit, identity)) return 0;
        if (skerry_atomic_claim_32(&credit->used, used, granted, me) != used) continue;
        if (new_identity) credit->identity = new_identity;
        return granted - used;
    }
}

uint32_t skerry_aos_give_back(const struct skerry_aos_far_message *message) {
    return take_all(message->u.credits.owner, message->u.credits.identity, message->u.credits.new_identity);
}

// The next two functions put credits of PE `pe` that it has given back into the room of this PE's queue.
static void put_back(struct skerry_aos_promises *promises, int pe, uint32_t count) {
    skerry_atomic_add_32(&promises->unused[pe], 0u - count, skerry_my_pe());
    skerry_atomic_add_32(&promises->queue->promised, 0u - count, skerry_my_pe());
}

void skerry_aos_put_back(const struct skerry_aos_far_message *message) {
    struct skerry_aos_promises *promises = promises_of(message->u.credits.identity);
    if (promises->identity != message->u.credits.identity) return;
    put_back(promises, message->u.credits.pe, message->u.credits.count);
}

// Asks the PEs in the set `pes` for their credits for a queue, and gives them back to the queue. Returns the number of
// credits. Waits for answers, so it is not for handlers.
static uint32_t collect_credits(int owner, uint32_t identity, uint64_t pes) {
    uint32_t all = 0;
    for (int pe = 0; pes >> pe != 0; pe++) {
        if (!(pes >> pe & 1)) continue;
        const uint32_t count = skerry_aos_far_ask_for_credits(pe, owner, identity, 0);
        if (count == 0) continue;
        all += count;
        if (owner == skerry_my_pe()) put_back(promises_of(identity), pe, count);
        else skerry_aos_far_send_credits(owner, identity, pe, count);
    }
    return all;
}

// -- Sending -----------------------------------------------------------------------------------------------------------

// Takes a credit. Returns the number that this PE then has left, or -1 if it has none. `granted` is loaded before
// `identity`: if it is of a later queue, so is `identity`. If `used` has changed since its load, the compare-swap fails.
static inline int32_t take_credit(struct skerry_aos_credit *credit, uint32_t identity) {
    uint32_t used = SKERRY_LOAD_ACQUIRE(&credit->used);
    for (;;) {
        const uint32_t left = SKERRY_LOAD_ACQUIRE(&credit->granted) - used;
        if ((int32_t)left <= 0 || SKERRY_LOAD_ACQUIRE(&credit->identity) != identity) return -1;
        if (__atomic_compare_exchange_n(&credit->used, &used, used + 1, true, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return (int32_t)left - 1;
    }
}

// Takes a credit for a message of `bytes` bytes. Returns as take_credit.
static inline int32_t take_credit_for(const aos_queue_t *queue, size_t bytes) {
    return bytes > DATA_MAX ? -1 : take_credit((struct skerry_aos_credit *)queue->seen, queue->next);
}

// The reader of the message also sees this PE's earlier puts: skerry_far_send_two orders it after them.
static inline void send(const aos_queue_t *queue, int32_t left, const void *data, size_t bytes) {
    skerry_far_send_two(queue->segment.owner, SKERRY_AOS_QUEUE_MESSAGE, queue->next,
                        left == 0 || left == LEFT_AT_REQUEST, data, bytes);
}

bool skerry_aos_enqueue_with_credit(const aos_queue_t *queue, const void *data, size_t bytes) {
    const int32_t left = take_credit_for(queue, bytes);
    if (left >= 0) send(queue, left, data, bytes);
    return left >= 0;
}

int skerry_aos_enqueue_promised(aos_queue_t *queue, const void *data, size_t bytes) {
    const int32_t left = take_credit_for(queue, bytes);
    if (left < 0) return skerry_aos_enqueue_otherwise(queue, data, bytes);
    send(queue, left, data, bytes);
    return AOS_SUCCESS;
}

static bool has_credit(const aos_queue_t *queue) {
    const struct skerry_aos_credit *credit = (const struct skerry_aos_credit *)queue->seen;
    return (int32_t)(SKERRY_LOAD_ACQUIRE(&credit->granted) - SKERRY_LOAD_ACQUIRE(&credit->used)) > 0 ||
           is_newer(credit, queue->next);
}

// Waits until this PE has credits for a queue, the queue's end is known, or some time has passed.
static void wait_for_credit(const aos_queue_t *queue) {
    const uint64_t begin = skerry_ticks();
    struct skerry_aos_waiter waiter = skerry_aos_begin_wait(queue->segment.waiting);
    while (!has_credit(queue) && skerry_ticks() - begin < WAIT_FOR_CREDIT) skerry_aos_pause(&waiter, skerry_my_pe());
    skerry_aos_end_wait(&waiter);
}

bool skerry_aos_make_room(const aos_queue_t *queue, uint64_t pes, bool waits) {
    // The owner's answer came behind the credits that it granted before, so this PE has these now.
    if (waits) wait_for_credit(queue);
    if (has_credit(queue)) return true;
    return collect_credits(queue->segment.owner, queue->next, pes) > 0 || waits;
}

// -- Threads of the owner ----------------------------------------------------------------------------------------------

static bool promise_near(const aos_queue_t *queue, bool waits) {
    const struct skerry_aos_promises *promises = promises_of(queue->next);
    for (;;) {
        if (promise(queue->queue, 1)) return true;
        uint64_t pes = 0;
        for (int pe = 0; pe < skerry_pe_count(); pe++)
            if (SKERRY_LOAD_ACQUIRE(&promises->unused[pe]) != 0) pes |= UINT64_C(1) << pe;
        if (collect_credits(skerry_my_pe(), queue->next, pes) > 0) continue;
        if (!waits) return false;
        const uint64_t begin = skerry_ticks();
        struct skerry_aos_waiter waiter = skerry_aos_begin_wait(queue->segment.waiting);
        while (room_of(queue->queue) == 0 && skerry_ticks() - begin < WAIT_FOR_CREDIT)
            skerry_aos_pause(&waiter, skerry_my_pe());
        skerry_aos_end_wait(&waiter);
        if (SKERRY_LOAD_ACQUIRE(&queue->segment.entry->generation) != queue->segment.generation) return false;
    }
}

int skerry_aos_enqueue_near(const aos_queue_t *queue, const void *message, size_t bytes, bool waits) {
    const bool is_promised = promise_near(queue, waits);
    if (is_promised)
        fill_slot(queue->queue, __atomic_fetch_add(&queue->queue->tail, 1, __ATOMIC_RELAXED), message, bytes);
    return is_promised ? AOS_SUCCESS : waits ? AOS_ERROR_GONE : AOS_ERROR_FULL;
}

void skerry_aos_find_credit(aos_queue_t *queue) {
    queue->seen = (uintptr_t)credit_of(queue->segment.owner, queue->next, skerry_my_pe());
}

// -- Begin and end of a queue ------------------------------------------------------------------------------------------

uint32_t skerry_aos_begin_promises(struct skerry_queue *queue) {
    struct skerry_aos_area *area = skerry_aos.area;
    if (!skerry_has_far_pes()) return 0;
    for (uint32_t number = 0; number < SKERRY_AOS_CREDITED_QUEUES; number++) {
        const uint32_t bit = 1u << number;
        if (skerry_atomic_fetch_or_32(&area->promises_in_use, bit, skerry_my_pe()) & bit) continue;
        struct skerry_aos_promises *promises = &area->promises[number];
        for (int pe = 0; pe < skerry_pe_count(); pe++) promises->unused[pe] = 0;
        if (promises->identity == 0) promises->identity = number + 1;
        __atomic_store_n(&promises->queue, queue, __ATOMIC_RELEASE);
        return promises->identity;
    }
    return 0;
}

// The server executes one message after the other, so after its answer to the first message it knows the new identity and
// grants no credits of the old one.
void skerry_aos_end_promises(uint32_t identity) {
    struct skerry_aos_promises *promises = promises_of(identity);
    const uint32_t next = identity + (1u << NUMBER_BITS);
    const int me = skerry_my_pe();
    __atomic_store_n(&promises->queue, NULL, __ATOMIC_RELEASE);
    __atomic_store_n(&promises->identity, next, __ATOMIC_RELEASE);
    (void)skerry_aos_far_is_up(me);
    for (int pe = 0; pe < skerry_pe_count(); pe++)
        if (promises->unused[pe] != 0 || promises->waiting >> pe & 1)
            skerry_aos_far_ask_for_credits(pe, me, identity, next);
    promises->waiting = 0;
    skerry_atomic_and_32(&skerry_aos.area->promises_in_use, ~(1u << number_of(identity)), me);
}

#endif
