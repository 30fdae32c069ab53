// SPDX-License-Identifier: BSD-3-Clause
// Executes deferred atomics: conditional atomics that wait in a list until their condition holds. Each PE has such a
// list, oldest atomic first, for the words in its memory. The list is in the PE's area (its tables). A PE that changes
// a word by a routine of aos.h afterwards polls the owner's list: it does each atomic whose condition holds.
//
// Two other PEs poll the list while they wait: the owner of the words, and the initiator (the PE that called the
// atomic). The models test/model/deferred.pml and deferred_private.pml check the protocols of this file.
//
// Why each change that makes a condition hold is noticed:
//     a PE that changes a word        a PE that defers an atomic
//     W1 change the word              P1 under the lock: append the atomic to the list, increment deferred_count
//     W2 load deferred_count          P2 skerry_fence_everywhere
//     W3 if it is not 0: increment    P3 increment `changes`, try the lock, poll the list
//        `changes`, try the lock, poll the list
// * W1 can be a plain store. The processor is allowed to execute the load W2 before W1 is visible to other PEs.
// * P2 makes all PEs execute a fence. So either W2 sees P1, or P3 sees W1.
// * PEs that sleep in a wait rely on the same fence (src/machine/linux/eventcount.h).
// * Some machines cannot make other PEs execute a fence. On such a machine, a PE that waits for the operation polls the
//   list at intervals.
#define SKERRY_AOS_HAS_DEFERRED
#include "internal.h"

#if SKERRY_PRIVATE_MEMORY

// Returns true if the owner (this PE) is allowed to access the atomic's words, which are in its private memory. The
// addresses come from another PE. So this PE checks each address one time, before the first access.
static bool is_there(struct skerry_aos_deferred *each) {
    if (each->is_private != SKERRY_AOS_UNSEEN) return true;
    if (!skerry_aos_may_do(SKERRY_AOS_PEEK, each->watched) || !skerry_aos_may_do(each->operation, each->word))
        return false;
    each->is_private = SKERRY_AOS_SEEN;
    return true;
}

#else

static bool is_there(struct skerry_aos_deferred *each) {
    (void)each;
    return true;
}

#endif

// Sends the answer to an initiator (the PE that called the atomic) on this node. For an initiator on another node,
// stores the answer in the atomic itself. send_answer sends it later.
static void record_answer(struct skerry_aos_deferred *each, int64_t value, int error) {
    if (SKERRY_AOS_IS_FAR(each->initiator)) {
        each->value = value;
        each->condition = error;
    } else {
        skerry_aos_answer(each->initiator, each->reply, each->sequence, value, error);
    }
}

// Executes a deferred atomic if its condition holds, and answers the initiator (the PE that called the atomic). Answers
// AOS_ERROR_FAULT if this PE must not access one of the words. Returns false if the condition does not hold: the atomic
// then stays in the list.
static bool do_deferred(struct skerry_aos_deferred *each, int owner) {
    struct skerry_aos_place place = {each->word, owner, each->is_private != 0};
    aos_condition_t when = {0, each->compared, each->condition};
    int64_t before = 0;
    if (!is_there(each)) {
        record_answer(each, 0, AOS_ERROR_FAULT);
        return true;
    }
    if (!skerry_aos_modify(&place, each->operation, each->value, each->expected, each->watched, &when, &before))
        return false;
    skerry_aos_full_fence(); // makes the change visible before the answer, which can be in another PE's memory
    record_answer(each, before, AOS_SUCCESS);
    return true;
}

#if SKERRY_FAR_MESSAGES

// Appends the atomic with number `number`, which has been done, to the list of answers that must still be sent. The
// caller must hold deferred_lock.
static void append_answer(struct skerry_aos_area *area, uint32_t number) {
    area->deferred[number - 1].next = 0;
    if (area->answers_last) area->deferred[area->answers_last - 1].next = number;
    else __atomic_store_n(&area->answers_first, number, __ATOMIC_RELAXED);
    area->answers_last = number;
}

// Takes the oldest answer out of the list of answers that must still be sent. Returns false if the list is empty. The
// caller must hold deferred_lock.
static bool take_answer(struct skerry_aos_area *area, struct skerry_aos_deferred *answer) {
    uint32_t number = area->answers_first;
    if (!number) return false;
    *answer = area->deferred[number - 1];
    __atomic_store_n(&area->answers_first, answer->next, __ATOMIC_RELAXED);
    if (!answer->next) area->answers_last = 0;
    area->deferred[number - 1].next = area->deferred_free;
    area->deferred_free = number;
    return true;
}

static void send_answer(const struct skerry_aos_deferred *answer, int owner) {
    skerry_aos_far_answer(answer->initiator, answer->reply, answer->sequence, answer->value, answer->condition, owner,
                          0, 0, 0);
}

static bool has_answers(const struct skerry_aos_area *area) {
    return SKERRY_LOAD_ACQUIRE(&area->answers_first) != 0;
}

#else

static void append_answer(struct skerry_aos_area *area, uint32_t number) {
    (void)area, (void)number;
}

static bool take_answer(struct skerry_aos_area *area, struct skerry_aos_deferred *answer) {
    (void)area, (void)answer;
    return false;
}

static void send_answer(const struct skerry_aos_deferred *answer, int owner) {
    (void)answer, (void)owner;
}

static bool has_answers(const struct skerry_aos_area *area) {
    (void)area;
    return false;
}

#endif

// Removes the atomic with number `number` from the list. `previous` is the number of the atomic before it, or 0 if it
// is the first. The caller must hold deferred_lock, the lock of the list.
static void unlink_deferred(struct skerry_aos_area *area, uint32_t previous, uint32_t number) {
    struct skerry_aos_deferred *each = &area->deferred[number - 1];
    if (previous) area->deferred[previous - 1].next = each->next;
    else area->deferred_first = each->next;
    if (area->deferred_last == number) area->deferred_last = previous;
    int initiator = each->initiator;
    if (SKERRY_AOS_IS_FAR(initiator)) {
        append_answer(area, number);
        skerry_store_release_32(&area->deferred_count, area->deferred_count - 1, skerry_owner(area));
        return;
    }
    each->next = area->deferred_free;
    area->deferred_free = number;
    skerry_store_release_32(&area->deferred_count, area->deferred_count - 1, skerry_owner(area));
    skerry_atomic_add_64(&skerry_aos_area(initiator)->outstanding, (uint64_t)-1, initiator);
}

static bool may_execute(const struct skerry_aos_deferred *each, int owner) {
    if (!each->is_private) return true;
    // The owner first runs the requests that have arrived (progress.c). So an initiator's earlier operations on private
    // words, which are requests, are done before its conditional atomic.
    return owner == skerry_my_pe() && !skerry_aos_has_request();
}

// Executes each deferred atomic whose condition holds and that this PE is allowed to execute (may_execute). A pass over
// the list that did an atomic is followed by another pass. The reason: the atomic can make the condition of an earlier
// atomic in the list true. The caller must hold deferred_lock, the lock of the list.
static void poll_list(struct skerry_aos_area *area, int owner) {
    bool again = true;
    while (again) {
        again = false;
        uint32_t previous = 0, next;
        for (uint32_t number = area->deferred_first; number; number = next) {
            next = area->deferred[number - 1].next;
            if (may_execute(&area->deferred[number - 1], owner) && do_deferred(&area->deferred[number - 1], owner)) {
                unlink_deferred(area, previous, number);
                again = true;
            } else {
                previous = number;
            }
        }
    }
}

// Interrupts the owner if the owner has set `wanted`. The owner sets `wanted` if it finds deferred_lock taken. Must be
// called after the release of the lock and a full fence.
static void interrupt_owner_if_wanted(struct skerry_aos_area *area, int owner) {
    if (owner == skerry_my_pe() || SKERRY_LOAD_ACQUIRE(&area->wanted) == 0) return;
    if (skerry_atomic_swap_32(&area->wanted, 0, owner) != 0) skerry_aos_interrupt(owner);
}

// Tries to take the list's lock. A PE that finds the lock taken returns false and does not poll the list, because the
// holder of the lock polls the list again (unlock_and_poll_again). But only the owner can poll its private words. So an
// owner that finds the lock taken tries once more:
// * The owner sets `wanted`, executes a full fence, and tries once more to take the lock.
// * The holder releases the lock, executes a full fence, and loads `wanted`.
// So either the owner gets the lock, or the holder interrupts the owner, which polls the list then.
static bool try_to_lock_list(struct skerry_aos_area *area, int owner) {
    if (skerry_aos_try_lock(&area->deferred_lock, owner)) return true;
    if (owner != skerry_my_pe()) return false;
    skerry_atomic_swap_32(&area->wanted, 1, owner);
    skerry_aos_full_fence();
    return skerry_aos_try_lock(&area->deferred_lock, owner);
}

// Releases the list's lock. Polls the list again if another PE found the lock taken meanwhile. `seen` is the value of
// `changes` that the caller read before its poll. Also sends the answers of done atomics to initiators on other nodes.
static void unlock_and_poll_again(struct skerry_aos_area *area, int owner, skerry_word seen) {
    for (;;) {
        struct skerry_aos_deferred answer;
        // Takes one answer out of the list at each turn, and sends it after the release. A PE must not send while it
        // holds the lock: while it sends, it can have to handle other messages, whose handlers take the lock.
        bool has_answer = take_answer(area, &answer);
        skerry_aos_unlock(&area->deferred_lock, owner);
        skerry_aos_full_fence();
        interrupt_owner_if_wanted(area, owner);
        if (has_answer) send_answer(&answer, owner);
        // Why no change is missed: this PE has released the lock, executed a full fence, and now loads `changes`.
        // Another PE increments `changes`, executes a full fence, and tries the lock. So either this PE sees the new
        // value of `changes`, or the other PE finds the lock free. A PE that finds the lock taken also leaves its
        // answers to the holder. So the holder tests has_answers here.
        skerry_word now = SKERRY_LOAD_ACQUIRE(&area->changes);
        if ((now == seen && !has_answers(area)) || !skerry_aos_try_lock(&area->deferred_lock, owner)) return;
        seen = SKERRY_LOAD_ACQUIRE(&area->changes);
        poll_list(area, owner);
    }
}

void skerry_aos_poll_deferred(int owner) {
    struct skerry_aos_area *area = skerry_aos_area(owner);
    // If the owner is on another node, a process of that node polls the list. An initiator that waits for its atomic
    // sends messages that make such a process poll the list (event.c, poll_far).
    if (SKERRY_AOS_IS_FAR(owner)) return;
    if (SKERRY_LOAD_ACQUIRE(&area->deferred_count) == 0) return;
    if (!try_to_lock_list(area, owner)) return;
    skerry_word seen = SKERRY_LOAD_ACQUIRE(&area->changes);
    poll_list(area, owner);
    unlock_and_poll_again(area, owner, seen);
}

void skerry_aos_run_deferred(int owner) {
    struct skerry_aos_area *area = skerry_aos_area(owner);
    (void)skerry_atomic_count(&area->changes, 1, owner);
    skerry_aos_full_fence();
    skerry_aos_poll_deferred(owner);
}

// Appends an atomic to the area's list of deferred atomics. Returns false if the list is full. The caller must hold
// deferred_lock, the lock of the list.
static bool append(struct skerry_aos_area *area, const struct skerry_aos_deferred *wanted) {
    uint32_t number = area->deferred_free;
    if (number) area->deferred_free = area->deferred[number - 1].next;
    else if (area->deferred_used < SKERRY_AOS_DEFERRED_MAX) number = ++area->deferred_used;
    else return false;
    area->deferred[number - 1] = *wanted;
    area->deferred[number - 1].next = 0;
    if (area->deferred_last) area->deferred[area->deferred_last - 1].next = number;
    else area->deferred_first = number;
    area->deferred_last = number;
    skerry_store_release_32(&area->deferred_count, area->deferred_count + 1, skerry_owner(area));
#if SKERRY_FAR_WATCHES
    if (area->deferred_count == 1) skerry_far_begin_watching();
#endif
    // Counts the atomic among the outstanding atomics of its initiator. An initiator on another node has counted the
    // atomic before it sent the message (far.c).
    if (!SKERRY_AOS_IS_FAR(wanted->initiator)) skerry_atomic_add_64(&skerry_aos.area->outstanding, 1, skerry_my_pe());
    return true;
}

// Appends the atomic to the list. If the list is full, does the atomic at once if its condition holds. Then polls the
// list and releases its lock, which the caller must hold. Sets `*was_appended` to true if the atomic was appended.
// Returns false if the list is full and the atomic was not done.
static bool append_and_poll(struct skerry_aos_deferred *wanted, int owner, bool *was_appended) {
    struct skerry_aos_area *area = skerry_aos_area(owner);
    bool deferred = *was_appended = append(area, wanted);
    bool done = !deferred && may_execute(wanted, owner) && do_deferred(wanted, owner);
    skerry_word seen = SKERRY_LOAD_ACQUIRE(&area->changes);
    poll_list(area, owner);
    unlock_and_poll_again(area, owner, seen);
    return deferred || done;
}

static bool try_to_append(struct skerry_aos_deferred *wanted, int owner) {
    bool was_appended;
    skerry_aos_lock(&skerry_aos_area(owner)->deferred_lock, owner);
    return append_and_poll(wanted, owner, &was_appended);
}

// Makes the PEs of the owner's node see the new atomic in the owner's list: all PEs execute a fence (P2 above). Polls
// the list (P3 above). Interrupts the owner if only the owner can do the atomic.
static void announce_deferred(const struct skerry_aos_area *area, const struct skerry_aos_deferred *wanted, int owner) {
    if (SKERRY_LOAD_ACQUIRE(&area->deferred_count) == 0) return;
    skerry_fence_everywhere();
    skerry_aos_run_deferred(owner);
    if (wanted->is_private) skerry_aos_interrupt(owner);
}

// Appends an atomic to the list of PE `owner`. If the list is full, waits until an entry is free, or until the atomic
// can be done at once. `policy` (AOS_WAIT_...) says how to wait. Returns AOS_SUCCESS. Returns AOS_ERROR_GONE if the
// words are private and their owner has ended.
int skerry_aos_defer(struct skerry_aos_deferred *wanted, int owner, uint32_t policy) {
    const struct skerry_aos_area *area = skerry_aos_area(owner);
    skerry_aos_mark(skerry_aos.area->deferred_at, owner);
#if SKERRY_FAR_MESSAGES
    if (SKERRY_AOS_IS_FAR(owner)) return skerry_aos_far_defer(wanted, owner, policy);
#endif
    bool gone = false;
    SKERRY_AOS_WAIT_UNTIL((gone = wanted->is_private && !skerry_aos_is_up(owner)) || try_to_append(wanted, owner),
                          owner, policy);
    if (gone) return AOS_ERROR_GONE;
    announce_deferred(area, wanted, owner);
    return AOS_SUCCESS;
}

#if SKERRY_FAR_MESSAGES

// Puts a conditional atomic of a PE of another node into the owner's list. Called in a process of the owner's node, by
// the handler of the initiator's message (landing.c).
int32_t skerry_aos_defer_for(struct skerry_aos_deferred *wanted, int owner, int64_t *value, int32_t *error) {
    struct skerry_aos_area *area = skerry_aos_area(owner);
    bool was_appended;
    skerry_aos_lock_at_once(&area->deferred_lock, owner);
    if (wanted->reference && !skerry_aos_is_current(wanted->reference)) { // see unregister_and_cancel in segment.c
        unlock_and_poll_again(area, owner, SKERRY_LOAD_ACQUIRE(&area->changes) - 1);
        return SKERRY_AOS_FAR_GONE;
    }
    if (!append_and_poll(wanted, owner, &was_appended)) return SKERRY_AOS_FAR_FULL;
    if (was_appended) {
        announce_deferred(area, wanted, owner);
        return SKERRY_AOS_FAR_DEFERRED;
    }
    *value = wanted->value;
    *error = wanted->condition;
    return SKERRY_AOS_FAR_DONE;
}

#endif

void skerry_aos_poll_deferred_everywhere(void) {
#if SKERRY_FAR_MESSAGES
    static uint64_t last_time; // if several threads use it at once, a node can get two messages in a millisecond
    const bool asks = skerry_has_far_pes() && skerry_aos_is_time_to_ask(&last_time);
#endif
    for (int pe = 0; pe < skerry_pe_count(); pe++) {
        if (!skerry_aos_is_marked(skerry_aos.area->deferred_at, pe)) continue;
        if (!SKERRY_AOS_IS_FAR(pe)) skerry_aos_poll_deferred(pe);
#if SKERRY_FAR_MESSAGES
        else if (asks) skerry_aos_far_changed(pe, true);
#endif
    }
}

// Returns true if the owner's list contains a deferred atomic of PE `initiator` on the segment. The caller must hold
// the list's lock, which this function releases.
static bool find_and_unlock(struct skerry_aos_area *area, int owner, int initiator, uint64_t reference) {
    bool found = false;
    for (uint32_t number = area->deferred_first; number && !found; number = area->deferred[number - 1].next) {
        const struct skerry_aos_deferred *each = &area->deferred[number - 1];
        found = each->initiator == initiator && each->reference == reference;
    }
    unlock_and_poll_again(area, owner, SKERRY_LOAD_ACQUIRE(&area->changes) - 1);
    return found;
}

bool skerry_aos_has_deferred(int owner, uint64_t reference) {
#if SKERRY_FAR_MESSAGES
    if (SKERRY_AOS_IS_FAR(owner)) return skerry_aos_far_has_deferred(owner, reference);
#endif
    struct skerry_aos_area *area = skerry_aos_area(owner);
    if (SKERRY_LOAD_ACQUIRE(&area->deferred_count) == 0) return false;
    skerry_aos_lock(&area->deferred_lock, owner);
    return find_and_unlock(area, owner, skerry_my_pe(), reference);
}

#if SKERRY_FAR_MESSAGES

bool skerry_aos_has_deferred_of(int owner, int initiator, uint64_t reference, int64_t *count) {
    struct skerry_aos_area *area = skerry_aos_area(owner);
    *count = 0;
    if (SKERRY_LOAD_ACQUIRE(&area->deferred_count) == 0) return false;
    skerry_aos_lock_at_once(&area->deferred_lock, owner);
    for (uint32_t number = area->deferred_first; number; number = area->deferred[number - 1].next)
        *count += area->deferred[number - 1].initiator == initiator;
    return find_and_unlock(area, owner, initiator, reference);
}

#endif

typedef bool choose_deferred(const struct skerry_aos_deferred *each, uint64_t reference);

static void cancel(int owner, choose_deferred *is_chosen, uint64_t reference) {
    struct skerry_aos_area *area = skerry_aos_area(owner);
    if (SKERRY_LOAD_ACQUIRE(&area->deferred_count) == 0) return;
    skerry_aos_lock(&area->deferred_lock, owner);
    uint32_t previous = 0, next;
    for (uint32_t number = area->deferred_first; number; number = next) {
        struct skerry_aos_deferred *each = &area->deferred[number - 1];
        next = each->next;
        if (is_chosen(each, reference)) {
            record_answer(each, 0, AOS_ERROR_GONE);
            unlink_deferred(area, previous, number);
        } else {
            previous = number;
        }
    }
    unlock_and_poll_again(area, owner, SKERRY_LOAD_ACQUIRE(&area->changes) - 1);
}

static bool is_of_segment(const struct skerry_aos_deferred *each, uint64_t reference) {
    return each->reference == reference;
}

void skerry_aos_cancel_deferred(int owner, uint64_t reference) {
    cancel(owner, is_of_segment, reference);
}

static bool is_private(const struct skerry_aos_deferred *each, uint64_t reference) {
    (void)reference;
    return each->is_private != 0;
}

static bool is_own(const struct skerry_aos_deferred *each, uint64_t reference) {
    (void)reference;
    return each->initiator == skerry_my_pe();
}

void skerry_aos_forget_deferred(void) {
    cancel(skerry_my_pe(), is_private, 0);
    // Skips the PEs of other nodes. Only in a job of one node can a PE have an earlier process. So that process has
    // deferred no atomics on other nodes.
    for (int pe = 0; pe < skerry_pe_count(); pe++)
        if (!SKERRY_AOS_IS_FAR(pe) && skerry_aos_is_marked(skerry_aos.area->deferred_at, pe)) cancel(pe, is_own, 0);
}
