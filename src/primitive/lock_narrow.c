// SPDX-License-Identifier: BSD-3-Clause
// Implements the queue lock of lock.h for machines on which a long has 32 bits: one word in every PE. Ranks are counted
// from 1, and 0 means no PE. Checked by test/model/lock_narrow.pml.
//
//     bits 16-31  on the home PE: rank of the last PE in the queue
//     bits 0-13   rank of the next PE in the queue after this PE
//     bit 14      this PE holds the lock
//     bit 15      this PE waits for the lock
//
// Who changes each word:
// - The upper half of the home PE's word: all PEs. A PE joins the queue by a swap of this half, at the first attempt. A
//   compare-swap would have to be repeated if another PE changed `last` meanwhile, without end if PEs that are closer to
//   the home PE did so again and again. A PE takes a free lock, and frees it, by compare-swaps of the whole word. These
//   also fail if the lower half has changed since the PE loaded the word, but only a few times (ATTEMPTS).
// - The lower half of PE p's word: three PEs, by atomic additions. PE p adds when it joins and leaves the queue. The PE
//   after p in the queue adds its rank. The PE before p replaces WAITING by HOLDING.
// - No addition carries from one field into the next, because each field only changes from 0 to a value and back.
//
// The ordering is that of lock.c, with one more requirement. A PE's load of the home PE's word must not be executed
// before the PE's own earlier operation on that word. If it were, a holder might not find itself in the queue.
#include "lock.h"

#if LONG_MAX <= INT32_MAX

#define LINK 0x3fffu
#define HOLDING 0x4000u
#define WAITING 0x8000u
#define LAST_SHIFT 16

static uint32_t own_now(const long *lock) {
    return (uint32_t)SKERRY_LOAD_ACQUIRE(lock);
}

static uint32_t rank_of_this(void) {
    return (uint32_t)skerry_my_pe() + 1;
}

// While the queue is empty, or one PE alone is in it and frees the lock, the lower half of the home PE's word changes at most
// twice: the home PE clears HOLDING after it has left the queue, and sets WAITING before it joins. So a PE that frees the
// lock needs three attempts at most. If a PE that takes the lock has failed more often, another PE has held the lock
// meanwhile.
#define ATTEMPTS 4

// Replaces the rank of the last PE in the queue by `last` if that rank is `expected`, and returns true. Rank 0 means an
// empty queue. Returns false if the rank is another one, or after ATTEMPTS compare-swaps.
static bool change_last(long *lock, uint32_t expected, uint32_t last) {
    uint32_t seen = skerry_atomic_load_32(lock, SKERRY_LOCK_HOME);
    for (int left = ATTEMPTS; seen >> LAST_SHIFT == expected && left > 0; left--) {
        uint32_t before = skerry_atomic_claim_32(lock, seen, (seen & 0xffff) | last << LAST_SHIFT, SKERRY_LOCK_HOME);
        if (before == seen) return true;
        seen = before;
    }
    return false;
}

static void add(long *lock, uint32_t value, int pe) {
    skerry_atomic_add_32(lock, value, pe);
}

bool skerry_lock_take(long *lock) {
    if (!change_last(lock, 0, rank_of_this())) return false;
    add(lock, HOLDING, skerry_my_pe());
    return true;
}

bool skerry_lock_drop(long *lock) {
    if (!(own_now(lock) & HOLDING) || !change_last(lock, rank_of_this(), 0)) return false;
    add(lock, 0u - HOLDING, skerry_my_pe());
    return true;
}

bool skerry_lock_await(long *lock) {
    const int me = skerry_my_pe();
    if (own_now(lock) & (HOLDING | WAITING)) return false;
    add(lock, WAITING, me);
    const uint32_t rank = (uint32_t)me + 1;
    const uint32_t before = skerry_atomic_swap_upper_32(lock, rank << LAST_SHIFT, SKERRY_LOCK_HOME) >> LAST_SHIFT;
    if (before == 0) add(lock, HOLDING - WAITING, me);
    else add(lock, rank, (int)before - 1);
    SKERRY_PAUSE(pause);
    while (own_now(lock) & WAITING) skerry_pause(&pause, skerry_my_pe());
    return true;
}

bool skerry_lock_hand_over(long *lock) {
    if (!(own_now(lock) & HOLDING)) return false;
    // Another PE joined the queue after this PE. This loop waits until that PE has added its rank to this PE's word.
    SKERRY_PAUSE(pause);
    uint32_t successor;
    while ((successor = own_now(lock) & LINK) == 0) skerry_pause(&pause, skerry_my_pe());
    add(lock, 0u - HOLDING - successor, skerry_my_pe());
    add(lock, HOLDING - WAITING, (int)successor - 1);
    return true;
}

#else
typedef int skerry_nothing_here; // C does not allow an empty file
#endif
