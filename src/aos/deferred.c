// SPDX-License-Identifier: BSD-3-Clause
// Executes deferred atomics: conditional atomics that wait in a list until their condition holds. Each PE has in its
// area (its tables) a list of the deferred atomics on words of its memory, oldest atomic first. A PE that changes a
// word of that memory by a routine of aos.h polls the list afterwards: it does each atomic whose condition holds. The
// owner of the words, and the initiator (the PE that called the atomic), also poll the list while they wait.
//
// No change that makes a condition hold is missed:
//     a PE that changes a word        a PE that defers an atomic
//     W1 change the word              P1 under the lock: append the atomic to the list, increment deferred_count
//     W2 load deferred_count          P2 skerry_fence_everywhere
//     W3 if it is not 0: increment    P3 increment `changes`, try the lock, poll the list
//        `changes`, try the lock, poll the list
// W1 can be a plain store, so the processor can execute the load W2 before W1 is visible to other PEs. P2 makes all PEs
// execute a fence. So either W2 sees P1, or P3 sees W1. PEs that sleep in a wait rely on the same fence
// (src/machine/linux/eventcount.h). On a machine where P2 is not possible, a PE that waits for the operation polls the
// list at intervals.
//
// Two PEs can try to take the list's lock at the same time. A PE that finds the lock taken leaves the poll to the
// lock's holder. The holder releases the lock after its poll. If it then sees that `changes` differs from the value
// that it read before its poll, it polls again. Each of the two PEs executes a full fence between its two atomic
// operations: the holder between its release of the lock and its load of `changes`, the other PE between its increment
// of `changes` and its attempt to take the lock. So either the holder sees the new value of `changes`, or the other PE
// finds the lock free.
//
// Only the owner of private memory can poll words of that memory. If the owner finds the lock taken, the lock's holder
// cannot poll these words for it. So the owner sets `wanted`, executes a full fence and tries to take the lock one more
// time. The PE that releases the lock executes a full fence after the release, loads `wanted`, and interrupts the owner
// if `wanted` is set. So either the owner gets the lock, or it is interrupted and then polls.
//
// Before the owner does a deferred atomic on private words, it runs the requests that have arrived, so that an
// initiator's earlier operations are done before its conditional atomic. The models test/model/deferred.pml and
// deferred_private.pml check these arguments.
#define SKERRY_AOS_HAS_DEFERRED
#include "internal.h"

#if SKERRY_PRIVATE_MEMORY

// Returns true if the atomic's private words are memory that their owner (this PE) is allowed to access. The addresses
// come from another PE, so this PE checks each address one time, before the first access.
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

// Executes a deferred atomic if its condition holds, and sends the answer to the initiator. Sends AOS_ERROR_FAULT if
// this PE must not access a private word of the atomic. Returns false if the condition does not hold: the caller must
// then leave the atomic in the list.
static bool do_deferred(struct skerry_aos_deferred *each, int owner) {
    struct skerry_aos_place place = {each->word, owner, each->is_private != 0};
    aos_condition_t when = {0, each->compared, each->condition};
    int64_t before = 0;
    if (!is_there(each)) {
        skerry_aos_answer(each->initiator, each->reply, each->sequence, 0, AOS_ERROR_FAULT);
        return true;
    }
    if (!skerry_aos_modify(&place, each->operation, each->value, each->expected, each->watched, &when, &before))
        return false;
    skerry_quiet(); // makes the change visible before the answer, which can be in another PE's memory
    skerry_aos_answer(each->initiator, each->reply, each->sequence, before, AOS_SUCCESS);
    return true;
}

// Removes the atomic with number `number` from the list. `previous` is the number of the atomic before it in the list;
// 0: it is the first atomic. The caller must hold parking_lock, the lock of the list.
static void unlink_deferred(struct skerry_aos_area *area, uint32_t previous, uint32_t number) {
    struct skerry_aos_deferred *each = &area->deferred[number - 1];
    if (previous) area->deferred[previous - 1].next = each->next;
    else area->deferred_first = each->next;
    if (area->deferred_last == number) area->deferred_last = previous;
    int initiator = each->initiator;
    each->next = area->deferred_free;
    area->deferred_free = number;
    skerry_store_release_32(&area->deferred_count, area->deferred_count - 1, skerry_owner(area));
    skerry_atomic_add_64(&skerry_aos_area(initiator)->outstanding, (uint64_t)-1, initiator);
}

static bool may_look(const struct skerry_aos_deferred *each, int owner) {
    if (!each->is_private) return true;
    return owner == skerry_my_pe() && !skerry_aos_is_asked();
}

// Executes each deferred atomic whose condition holds, if this PE is allowed to execute it (may_look). Repeats the pass
// over the list after each pass that did an atomic, because the atomic's change can satisfy the condition of an atomic
// earlier in the list. The caller must hold parking_lock, the lock of the list.
static void look_at_all(struct skerry_aos_area *area, int owner) {
    bool again = true;
    while (again) {
        again = false;
        uint32_t previous = 0, next;
        for (uint32_t number = area->deferred_first; number; number = next) {
            next = area->deferred[number - 1].next;
            if (may_look(&area->deferred[number - 1], owner) && do_deferred(&area->deferred[number - 1], owner)) {
                unlink_deferred(area, previous, number);
                again = true;
            } else {
                previous = number;
            }
        }
    }
}

static void call_owner_if_wanted(struct skerry_aos_area *area, int owner) {
    if (owner == skerry_my_pe() || SKERRY_LOAD_ACQUIRE(&area->wanted) == 0) return;
    if (skerry_atomic_swap_32(&area->wanted, 0, owner) != 0) skerry_aos_call(owner);
}

static bool try_to_look(struct skerry_aos_area *area, int owner) {
    if (skerry_aos_try_lock(&area->parking_lock, owner)) return true;
    if (owner != skerry_my_pe()) return false;
    skerry_atomic_swap_32(&area->wanted, 1, owner);
    skerry_quiet();
    return skerry_aos_try_lock(&area->parking_lock, owner);
}

static void give_back_and_look_again(struct skerry_aos_area *area, int owner, skerry_word seen) {
    for (;;) {
        skerry_aos_unlock(&area->parking_lock, owner);
        skerry_quiet();
        call_owner_if_wanted(area, owner);
        skerry_word now = SKERRY_LOAD_ACQUIRE(&area->changes);
        if (now == seen || !skerry_aos_try_lock(&area->parking_lock, owner)) return;
        seen = SKERRY_LOAD_ACQUIRE(&area->changes);
        look_at_all(area, owner);
    }
}

void skerry_aos_poll_deferred(int owner) {
    struct skerry_aos_area *area = skerry_aos_area(owner);
    if (SKERRY_LOAD_ACQUIRE(&area->deferred_count) == 0) return;
    if (!try_to_look(area, owner)) return;
    skerry_word seen = SKERRY_LOAD_ACQUIRE(&area->changes);
    look_at_all(area, owner);
    give_back_and_look_again(area, owner, seen);
}

void skerry_aos_run_deferred(int owner) {
    struct skerry_aos_area *area = skerry_aos_area(owner);
    (void)skerry_atomic_count(&area->changes, 1, owner);
    skerry_quiet();
    skerry_aos_poll_deferred(owner);
}

// Appends an atomic to the list. Returns false if the list is full. The caller must hold parking_lock, the lock of the
// list.
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
    skerry_atomic_add_64(&skerry_aos.area->outstanding, 1, skerry_my_pe());
    return true;
}

static bool try_to_park(struct skerry_aos_deferred *wanted, int owner) {
    struct skerry_aos_area *area = skerry_aos_area(owner);
    skerry_aos_lock(&area->parking_lock, owner);
    bool deferred = append(area, wanted);
    bool done = !deferred && may_look(wanted, owner) && do_deferred(wanted, owner);
    skerry_word seen = SKERRY_LOAD_ACQUIRE(&area->changes);
    look_at_all(area, owner);
    give_back_and_look_again(area, owner, seen);
    return deferred || done;
}

// Appends an atomic to the list of PE `owner`. If the list is full, waits until an entry is free, or executes the atomic
// itself as soon as that is possible. `policy` (AOS_WAIT_...) says how to wait. Returns AOS_SUCCESS, or AOS_ERROR_GONE
// if the words that the atomic changes are private and their owner has ended.
int skerry_aos_park(struct skerry_aos_deferred *wanted, int owner, uint32_t policy) {
    struct skerry_aos_area *area = skerry_aos_area(owner);
    skerry_aos_mark(skerry_aos.area->deferred_at, owner);
    bool gone = false;
    SKERRY_AOS_WAIT_UNTIL((gone = wanted->is_private && !skerry_aos_is_up(owner)) || try_to_park(wanted, owner), owner,
                          policy);
    if (gone) return AOS_ERROR_GONE;
    if (SKERRY_LOAD_ACQUIRE(&area->deferred_count) == 0) return AOS_SUCCESS;
    skerry_fence_everywhere();
    skerry_aos_run_deferred(owner);
    if (wanted->is_private) skerry_aos_call(owner);
    return AOS_SUCCESS;
}

void skerry_aos_poll_deferred_everywhere(void) {
    for (int pe = 0; pe < skerry_pe_count(); pe++)
        if (skerry_aos_is_marked(skerry_aos.area->deferred_at, pe)) skerry_aos_poll_deferred(pe);
}

bool skerry_aos_has_deferred(int owner, uint64_t reference) {
    struct skerry_aos_area *area = skerry_aos_area(owner);
    if (SKERRY_LOAD_ACQUIRE(&area->deferred_count) == 0) return false;
    bool found = false;
    skerry_aos_lock(&area->parking_lock, owner);
    for (uint32_t number = area->deferred_first; number && !found; number = area->deferred[number - 1].next) {
        const struct skerry_aos_deferred *each = &area->deferred[number - 1];
        found = each->initiator == skerry_my_pe() && each->reference == reference;
    }
    give_back_and_look_again(area, owner, SKERRY_LOAD_ACQUIRE(&area->changes) - 1);
    return found;
}

typedef bool choose_deferred(const struct skerry_aos_deferred *each, uint64_t reference);

static void cancel(int owner, choose_deferred *is_chosen, uint64_t reference) {
    struct skerry_aos_area *area = skerry_aos_area(owner);
    if (SKERRY_LOAD_ACQUIRE(&area->deferred_count) == 0) return;
    skerry_aos_lock(&area->parking_lock, owner);
    uint32_t previous = 0, next;
    for (uint32_t number = area->deferred_first; number; number = next) {
        struct skerry_aos_deferred *each = &area->deferred[number - 1];
        next = each->next;
        if (is_chosen(each, reference)) {
            skerry_aos_answer(each->initiator, each->reply, each->sequence, 0, AOS_ERROR_GONE);
            unlink_deferred(area, previous, number);
        } else {
            previous = number;
        }
    }
    give_back_and_look_again(area, owner, SKERRY_LOAD_ACQUIRE(&area->changes) - 1);
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
    for (int pe = 0; pe < skerry_pe_count(); pe++)
        if (skerry_aos_is_marked(skerry_aos.area->deferred_at, pe)) cancel(pe, is_own, 0);
}
