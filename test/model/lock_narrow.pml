/* SPDX-License-Identifier: BSD-3-Clause
 * The queue lock of src/primitive/lock_narrow.c over the chip's atomics (src/machine/epiphany/atomic.h). PES processes
 * take it, or only try to take it, and release it; one of them does so twice. Each PE has one word. The home PE's word
 * has two halves: the last PE of the queue, and the fields that every PE's word has.
 * Checks mutual exclusion, that no process waits for ever, that a release needs at most three compare-swaps, and that all
 * words are 0 at the end.
 *
 * Mistakes:
 *   -DPLAIN_RELEASE     the holder stores HOLDING to its successor's word instead of adding, which loses a link
 *   -DGIVE_UP           a compare-swap that failed because the lower half had changed is not repeated and is taken for
 *                       done
 *   -DSWAP_ALL          a PE that joins the queue swaps the whole word of the home PE, and so loses its lower half
 *   -DLOAD=LOAD_PAST    the load of the home word may be executed before this PE's own earlier store there. The lock
 *                       relies on the order that Coduin (2016) gives (network.pml).
 */
// check: holds
// check: fails -DPLAIN_RELEASE
// check: fails -DGIVE_UP
// check: fails -DSWAP_ALL
// check: fails -DLOAD=LOAD_PAST
#define PES 3
#define ROUNDS (1 + (self == 1))
#define PLACES 2
#define FIELDS 0 /* bits 4 and up: last (home PE only); bit 3: waiting; bit 2: holding; bits 0 and 1: link */
#define LOCK 1   /* the lock of this PE's atomics */
#include "network.pml"
#ifndef LOAD
#define LOAD LOAD_BEHIND
#endif

#define HOME 0
#define ATTEMPTS 4
#define LINKED 3
#define HOLDING 4
#define WAITING 8
#define LOWER 15
#define LAST(word) ((word) >> 4)
#define OWN WORD(self, FIELDS)

byte holders, finished;

/* Begins an atomic operation: repeats TESTSET until it takes the lock. TESTSET is executed after this PE's earlier
 * stores. The new value and the release of the lock are two stores. */
inline begin_atomic(pe, old) {
    atomic {
        LOAD_BEHIND(self, pe) && WORD(pe, LOCK) == 0 -> WORD(pe, LOCK) = 1;
        old = WORD(pe, FIELDS)
    }
}

inline end_atomic(pe) {
    store(self, pe, LOCK, 0)
}

inline add(pe, value) {
    begin_atomic(pe, now);
    store(self, pe, FIELDS, now + (value));
    end_atomic(pe)
}

/* The code's change_last(). */
inline change_last(expected, last) {
    atomic { LOAD(self, HOME) -> seen = WORD(HOME, FIELDS); attempts = 0; changed = false }
    do
    :: LAST(seen) != expected || attempts == ATTEMPTS -> break
    :: else ->
        begin_atomic(HOME, now);
        if
        :: now == seen -> store(self, HOME, FIELDS, (seen & LOWER) | (last) << 4)
        :: else
        fi;
        end_atomic(HOME);
        attempts++;
        if
        :: now == seen -> changed = true; break
        :: else ->
            seen = now;
#ifdef GIVE_UP
            changed = LAST(seen) == expected;
            break
#endif
        fi
    od
}

inline swap_last(last) {
    begin_atomic(HOME, now);
#ifdef SWAP_ALL
    store(self, HOME, FIELDS, (last) << 4);
#else
    store(self, HOME, FIELDS, (now & LOWER) | (last) << 4);
#endif
    end_atomic(HOME);
    before = LAST(now)
}

inline await_turn() {
    assert((OWN & (HOLDING | WAITING)) == 0);
    add(self, WAITING);
    swap_last(me);
    if
    :: before == 0 -> add(self, HOLDING - WAITING)
    :: else -> add(before - 1, me)
    fi;
    (OWN & WAITING) == 0
}

inline hand_over() {
    assert(OWN & HOLDING);
    atomic { (OWN & LINKED) != 0 -> successor = OWN & LINKED }
    add(self, 0 - HOLDING - successor);
#ifdef PLAIN_RELEASE
    store(self, successor - 1, FIELDS, HOLDING)
#else
    add(successor - 1, HOLDING - WAITING)
#endif
}

proctype pe(byte self) {
    byte me = self + 1;
    byte round, seen, now, before, successor, attempts;
    bool changed;
    do
    :: round < ROUNDS ->
        round++;
        change_last(0, me);
        if
        :: changed -> add(self, HOLDING)
        :: else ->
            if
            :: goto next_round /* this process only tried to take the lock */
            :: await_turn()
            fi
        fi;
        atomic { holders++; assert(holders == 1) }
        holders--;
        assert(OWN & HOLDING);
        change_last(me, 0);
        assert(attempts < ATTEMPTS);
        if
        :: changed -> add(self, 0 - HOLDING)
        :: else -> hand_over()
        fi;
next_round:
        atomic { seen = 0; now = 0; before = 0; successor = 0; attempts = 0; changed = false }
    :: else -> break
    od;
    finished++
}

init {
    atomic {
        run pe(0);
        run pe(1);
        run pe(2);
        run deliver(0, 1); run deliver(0, 2); run deliver(1, 0); run deliver(1, 2); run deliver(2, 0); run deliver(2, 1)
    }
    finished == PES;
    /* stores that are still in the network release locks of atomics */
    WORD(0, FIELDS) == 0 && WORD(1, FIELDS) == 0 && WORD(2, FIELDS) == 0
}
