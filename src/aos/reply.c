// SPDX-License-Identifier: BSD-3-Clause
// Manages replies. A reply is a few words for the answer to an operation, in the area (tables) of the operation's
// initiator. A reply belongs to one operation from skerry_aos_take_reply to skerry_aos_collect. The sequence number of
// a reply only grows. So a copy of an old event cannot take the answer to a later operation as its own.
#include "internal.h"

// Takes a free reply. The caller must hold own_lock.
static inline uint32_t take(struct skerry_aos_area *area, int at, bool served, uint64_t *sequence) {
    uint32_t number = area->replies_free;
    if (number) area->replies_free = area->replies[number - 1].next;
    else if (area->replies_used < SKERRY_AOS_REPLIES_MAX) number = ++area->replies_used;
    if (number) {
        struct skerry_aos_reply *reply = &area->replies[number - 1];
        *sequence = ++reply->sequence;
        reply->at = at;
        reply->served = served;
#if SKERRY_FAR_MESSAGES
        reply->is_transfer = false;
#endif
        reply->in_use = 1;
    }
    return number;
}

uint32_t skerry_aos_take_reply(int at, bool served, uint64_t *sequence) {
    struct skerry_aos_area *area = skerry_aos.area;
    skerry_aos_lock_own(area);
    uint32_t number = take(area, at, served, sequence);
    skerry_aos_unlock_own(area);
    return number;
}

#if SKERRY_FAR_MESSAGES

// The events of puts happen in the order in which the puts began, as Hascoet et al. (2017, section 5.4) require. So a put
// is in a list while it or an earlier put is under way.
static inline void append_put(struct skerry_aos_area *area, uint32_t number) {
    struct skerry_aos_reply *reply = &area->replies[number - 1];
    reply->next_put = 0;
    reply->parts_ended = false;
    if (area->put_first) area->replies[area->put_last - 1].next_put = number;
    else __atomic_store_n(&area->put_first, number, __ATOMIC_RELAXED);
    area->put_last = number;
}

uint32_t skerry_aos_take_reply_of_transfer(int at, bool is_put, skerry_word parts, uint8_t change, uint64_t *sequence) {
    struct skerry_aos_area *area = skerry_aos.area;
    skerry_aos_lock_own(area);
    uint32_t number = take(area, at, false, sequence);
    if (number) {
        struct skerry_aos_reply *reply = &area->replies[number - 1];
        reply->is_transfer = true;
        reply->is_put = is_put;
        reply->change = change;
        reply->error = AOS_SUCCESS;
        __atomic_store_n(&reply->parts, parts, __ATOMIC_RELAXED);
        if (is_put) append_put(area, number);
    }
    skerry_aos_unlock_own(area);
    return number;
}

#endif

#if SKERRY_PRIVATE_MEMORY

// Records in the initiator's area that an operation without a reply failed at PE `at`. The initiator's next fence
// reports the failure.
static void note_fault(int initiator, int at) {
    uint64_t *faulted = skerry_aos_area(initiator)->faulted;
    skerry_atomic_or_64(&faulted[at >> 6], UINT64_C(1) << (at & 63), initiator);
}

#else

static void note_fault(int initiator, int at) {
    (void)initiator, (void)at;
}

#endif

// Stores the answer of PE `at` to an operation of PE `initiator`, which is on this node. `done` is stored last, with
// release. So an initiator that sees the sequence number in `done` also sees the value and the error.
static inline void store(int initiator, int at, uint32_t number, uint64_t sequence, int64_t value, int error) {
    if (!number && error == AOS_ERROR_FAULT) note_fault(initiator, at);
    if (!number) return;
    struct skerry_aos_reply *reply = &skerry_aos_area(initiator)->replies[number - 1];
    __atomic_store_n(&reply->value, value, __ATOMIC_RELAXED);
    __atomic_store_n(&reply->error, error, __ATOMIC_RELAXED);
    skerry_atomic_store_64(&reply->done, sequence, initiator);
}

void skerry_aos_answer(int initiator, uint32_t number, uint64_t sequence, int64_t value, int error) {
#if SKERRY_FAR_MESSAGES
    if (SKERRY_AOS_IS_FAR(initiator)) {
        if (number || error) skerry_aos_far_answer(initiator, number, sequence, value, error, -1, 0, 0, 0);
        return;
    }
#endif
    store(initiator, skerry_my_pe(), number, sequence, value, error);
}

#if SKERRY_FAR_MESSAGES

void skerry_aos_store_answer(int initiator, int at, uint32_t number, uint64_t sequence, int64_t value, int error) {
    store(initiator, at, number, sequence, value, error);
}

#endif

void skerry_aos_expect(aos_event_t *event, uint32_t number, uint64_t sequence, int64_t *result) {
    *event = (aos_event_t){.word = &skerry_aos.area->replies[number - 1].done,
                           .value = (int64_t)sequence,
                           .condition = AOS_GREATER_EQUAL,
                           .owner = skerry_my_pe(),
                           .bits = 64,
                           .reply = number,
                           .result = result};
}

int skerry_aos_collect(aos_event_t *event) {
    struct skerry_aos_area *area = skerry_aos.area;
    uint32_t number = event->reply;
    int error = AOS_SUCCESS;
    event->word = 0;
    event->reply = 0;
    if (!number) return error;
    struct skerry_aos_reply *reply = &area->replies[number - 1];
    skerry_aos_lock_own(area);
    if (reply->in_use && reply->sequence == (uint64_t)event->value) {
        // The operation possibly was not done. In this case the reply still contains the answer to an earlier
        // operation. So the answer is read only if `done` and `sequence` are equal.
        if (SKERRY_LOAD_ACQUIRE(&reply->done) == reply->sequence) {
            error = reply->error;
#if SKERRY_PRIVATE_MEMORY
            if (error && reply->is_transfer) skerry_aos_note_told(number);
#endif
            if (event->result && error == AOS_SUCCESS) *event->result = reply->value;
        }
        reply->in_use = 0;
        reply->next = area->replies_free;
        area->replies_free = number;
    }
    skerry_aos_unlock_own(area);
    return error;
}
