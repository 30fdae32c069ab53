/* SPDX-License-Identifier: BSD-3-Clause
 * The user interrupt of the chip (src/machine/epiphany/interrupt.{S,c} and get.{S,c}). PEs 0 and 1 get from each other.
 * PE 2 gets from PE 1 and raises an interrupt number there, both at any pace. PE 1, its handler and PE 0 change a word
 * under an atomic's lock. The handler also puts, and waits until the put has arrived.
 * Checks that each get returns the data that was requested, that no addition is lost, that after each raise a run of
 * the handler sees everything that was stored before it, and that no PE waits for ever.
 *
 * The latch is cleared when the handler is entered, and the program does not run until the handler returns. GETS (of
 * PEs 0 and 1 each), GETS_OF_2, RAISINGS and ADDITIONS (of the programs of PEs 0 and 1) are the numbers of these
 * operations. One run does not have all of them, because that would be too many states.
 *
 * Mistakes:
 *   -DINTERRUPT_FIRST   a requester stores ILATST before the word that says what it wants
 *   -DSERVED_LATE       the owner clears that word after it has stored the data, when the requester may have set it
 *                       again
 *   -DHANDLED_LATE      the byte of the number is cleared after its handler has run
 *   -DUNMASKED          the lock is held with interrupts enabled, so a handler waits for the program that it has
 *                       interrupted
 */
// check: holds
// check: holds -DGETS=2 -DRAISINGS=0 -DADDITIONS=0
// check: holds -DGETS_OF_2=1 -DRAISINGS=0 -DADDITIONS=0
// check: holds -DGETS=0 -DRAISINGS=2
// check: fails -DINTERRUPT_FIRST
// check: fails -DGETS=2 -DRAISINGS=0 -DADDITIONS=0 -DSERVED_LATE
// check: fails -DGETS=0 -DRAISINGS=2 -DHANDLED_LATE
// check: fails -DGETS=0 -DUNMASKED
#define PES 3
#ifndef GETS
#define GETS 1
#endif
#ifndef GETS_OF_2
#define GETS_OF_2 0
#endif
#ifndef RAISINGS
#define RAISINGS 1
#endif
#ifndef ADDITIONS
#define ADDITIONS 1
#endif
#define REQUEST 0 /* + requester: a value that stands for the request; the owner returns it as the data */
#define WANTED 3  /* + requester: 1 while its request waits */
#define DATA 6
#define GOT 7
#define RAISED 8
#define RAISES 9 /* number of raises, stored by PE 2 before each raise */
#define LOCK 10
#define SUM 11
#define PUT 12
#define PLACES 13
#include "network.pml"

#ifdef UNMASKED
#define MASKED 0
#else
#define MASKED 1
#endif

bit masked[PES];
bit served[PES]; /* the bit of IPEND: the interrupt's handler runs, and the program does not */
byte seen;       /* number of raises that the handler saw in its last run */
byte handled;
byte added, finished;

/* Stores the word that says what this PE wants, then ILATST, which interrupts the owner. */
inline wish(to, place) {
#ifdef INTERRUPT_FIRST
    store(self, to, ILATST, 1);
    store(self, to, place, 1)
#else
    store(self, to, place, 1);
    store(self, to, ILATST, 1)
#endif
}

inline get(from, what) {
    WORD(self, GOT) = 0;
    store(self, from, REQUEST + self, what);
    wish(from, WANTED + self);
    WORD(self, GOT) == 1;
    assert(WORD(self, DATA) == what)
}

/* Masks interrupts while this PE holds the lock. While it waits for the lock, interrupts are enabled. */
inline atomic_add(pe) {
    do
    :: masked[self] = MASKED;
        atomic {
            LOAD_BEHIND(self, pe);
            if
            :: WORD(pe, LOCK) == 0 -> WORD(pe, LOCK) = 1; sum = WORD(pe, SUM); added++; break
            :: else -> masked[self] = 0
            fi
        }
        WORD(pe, LOCK) == 0
    od;
    store(self, pe, SUM, sum + 1);
    store(self, pe, LOCK, 0);
    atomic { masked[self] = 0; sum = 0 }
}

proctype first(byte self) provided (!served[0]) {
    byte round, sum;
    do
    :: round < GETS -> round++; get(1, round)
    :: else -> break
    od;
    if
    :: ADDITIONS -> atomic_add(1)
    :: else
    fi;
    finished++
}

proctype second(byte self) provided (!served[1]) {
    byte round, sum;
    do
    :: round < GETS -> round++; get(0, round)
    :: else -> break
    od;
    if
    :: ADDITIONS -> atomic_add(1)
    :: else
    fi;
    finished++
}

proctype third(byte self) provided (!served[2]) {
    byte round;
    do
    :: round < RAISINGS ->
        round++;
        store(self, 1, RAISES, round);
        wish(1, RAISED)
    :: else -> break
    od;
    if
    :: GETS_OF_2 -> get(1, 1)
    :: else
    fi;
    finished++
}

/* Answers the gets. Tests each PE's word once, and again after its get was answered. The code tests the words of
 * several PEs at once, as double words. */
inline serve_gets() {
    who = 0;
    do
    :: who == PES -> break
    :: who < PES && WORD(self, WANTED + who) == 0 -> who++
    :: who < PES && WORD(self, WANTED + who) == 1 ->
#ifndef SERVED_LATE
        WORD(self, WANTED + who) = 0;
#endif
        store(self, who, DATA, WORD(self, REQUEST + who));
        store(self, who, GOT, 1)
#ifdef SERVED_LATE
        ;
        WORD(self, WANTED + who) = 0
#endif
    od;
    who = 0
}

inline handler() {
    seen = WORD(1, RAISES);
    atomic_add(1);
    store(1, 0, PUT, seen);
    LOAD_BEHIND(1, 0)
}

inline serve_numbers() {
    if
    :: WORD(self, RAISED) ->
#ifndef HANDLED_LATE
        WORD(self, RAISED) = 0;
#endif
        handler();
#ifdef HANDLED_LATE
        WORD(self, RAISED) = 0
#endif
    :: else
    fi
}

proctype dispatcher(byte self) {
    byte who, sum;
end: do
    :: atomic { latch[self] && !masked[self] -> latch[self] = 0; served[self] = 1 }
        serve_gets();
        serve_numbers();
        served[self] = 0
    od
}

init {
    atomic {
        run first(0);
        run second(1);
        run third(2);
        run dispatcher(0);
        run dispatcher(1);
        run deliver(0, 1);
        run deliver(1, 0);
        run deliver(1, 2);
        run deliver(2, 1)
    }
    finished == 3;
    seen == RAISINGS && WORD(0, PUT) == RAISINGS;
    WORD(1, SUM) == added
}
