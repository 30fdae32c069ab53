/* SPDX-License-Identifier: BSD-3-Clause
 * Remote procedure calls on the chip (src/rpc/ring/call.S and serve.S). PEs 0 and 1 call each other and PE 2
 * calls PE 0, each at its own pace. A function checks what its caller has stored before the call. If GETS, it also gets
 * from its caller by interrupting the caller. It stores a result at the caller. Checks:
 *   each call is run once: by the ring's owner, who sees everything that was stored before the call, or by its caller
 *   the result has arrived when the answer has
 *   a core that is running the calls of its ring is not interrupted without need
 *   no PE waits for ever
 * Loads may be executed before earlier stores here. The latch is cleared when the handler is entered. Calls are run
 * outside of the handler: the program does not run meanwhile, and the handler may interrupt the calls.
 *
 * Mistakes:
 *   -DSLEEP_UNLOCKED    the owner goes to sleep after a look at the ring without the lock
 *   -DGATE_FIRST        the owner opens the gate before it has set the ring's ends to the start
 *   -DAWAKE_BY_GATE     a caller concludes from a shut gate that the owner is awake
 *   -DINTERRUPT_FIRST   a caller stores ILATST before the ring's end
 *   -DEND_FIRST         a caller stores the ring's end before the call
 *   -DFREE_FIRST        the owner frees a place of the ring before it has read the call
 *   -DANSWER_FIRST      the owner stores the answer before the result
 *   -DUNMASKED          a lock is held with interrupts enabled
 *   -DIN_HANDLER        functions run with the interrupt masked, so two functions that get from each other wait for
 *                       ever
 *
 * HOLDS is how often PE 0 shuts its ring for a while (rpc_hold.c), instead of making calls.
 * Mistake: -DOPEN_SILENTLY PE 0 does not interrupt itself when it has opened the ring again.
 */
// check: holds
// check: large -DCALLS_OF_0=0 -DCALLS_OF_1=2 -DCALLS_OF_2=2
// check: large -DCALLS_OF_0=0 -DCALLS_OF_1=2 -DCALLS_OF_2=2 -DDEPTH=2
// check: holds -DCALLS_OF_2=0 -DGETS=1
// check: fails -DCALLS_OF_0=0 -DCALLS_OF_1=2 -DCALLS_OF_2=2 -DSLEEP_UNLOCKED
// check: fails -DCALLS_OF_0=0 -DCALLS_OF_1=2 -DCALLS_OF_2=2 -DGATE_FIRST
// check: fails -DCALLS_OF_0=0 -DCALLS_OF_1=2 -DCALLS_OF_2=2 -DAWAKE_BY_GATE
// check: fails -DINTERRUPT_FIRST
// check: fails -DCALLS_OF_0=0 -DCALLS_OF_1=2 -DCALLS_OF_2=2 -DDEPTH=2 -DEND_FIRST
// check: fails -DCALLS_OF_0=0 -DCALLS_OF_1=2 -DCALLS_OF_2=2 -DFREE_FIRST
// check: fails -DANSWER_FIRST
// check: fails -DUNMASKED
// check: fails -DCALLS_OF_2=0 -DGETS=1 -DIN_HANDLER
// check: large -DCALLS_OF_0=0 -DHOLDS=1
// check: fails -DCALLS_OF_0=0 -DHOLDS=1 -DOPEN_SILENTLY
#define PES 3
#ifndef CALLS_OF_0
#define CALLS_OF_0 1
#endif
#ifndef CALLS_OF_1
#define CALLS_OF_1 1
#endif
#ifndef CALLS_OF_2
#define CALLS_OF_2 1
#endif
#ifndef DEPTH
#define DEPTH 1
#endif
#ifndef GETS
#define GETS 0
#endif
#ifndef HOLDS
#define HOLDS 0
#endif
#define TAIL 0 /* 2 for each call that was added; bit 0: the owner is awake */
#define HEAD 1 /* 2 for each call that the owner has taken; bit 0: the owner runs calls */
#define LOCK 2
#define GATE 3 /* 0: open, the owner sleeps */
#define RING 4
#define DONE (RING + DEPTH)
#define RESULT (DONE + 1)
#define WANTED (DONE + 2) /* + requester: 1 while its get waits */
#define GOT (DONE + 5)
#define DATA (DONE + 6) /* + caller: what the caller stored before its call */
#define PLACES (DONE + 9)
#include "network.pml"

#ifdef UNMASKED
#define MASKED 0
#else
#define MASKED 1
#endif
#ifdef AWAKE_BY_GATE
#define LOOKED_AWAKE true
#else
#define LOOKED_AWAKE (tail & 1)
#endif
#define CALL(from, number) ((from) * 16 + (number))

bit masked[PES];
bit handling[PES]; /* the bit of IPEND: the handler runs */
byte runs, run_here, finished;

#define SERVING(pe) (WORD(pe, HEAD) & 1)
bit stands[PES]; /* the program does not run, because calls run */

inline testset(pe, place, got) {
    atomic { LOAD_PAST(self, pe); got = WORD(pe, place) == 0; WORD(pe, place) = 1 }
}

/* Stores the call, then the ring's end, and then ILATST if the owner sleeps (`wakes`). */
inline push(to, tail, wakes) {
#ifdef END_FIRST
    store(self, to, TAIL, (tail | 1) + 2);
    store(self, to, RING + (tail / 2) % DEPTH, CALL(self, number));
#else
    store(self, to, RING + (tail / 2) % DEPTH, CALL(self, number));
#ifdef INTERRUPT_FIRST
    if
    :: wakes -> store(self, to, ILATST, 1)
    :: else
    fi;
#endif
    store(self, to, TAIL, (tail | 1) + 2);
#endif
#ifndef INTERRUPT_FIRST
    if
    :: wakes -> store(self, to, ILATST, 1)
    :: else
    fi
#endif
}

inline wait_for_answer() {
    WORD(self, DONE) == 1;
    assert(WORD(self, RESULT) == number)
}

proctype program(byte self, to, calls) provided (!handling[self] && !stands[self]) {
    byte number, tail, head;
    bit got;
    do
    :: number < calls ->
        number++;
        store(self, to, DATA + self, number);
        WORD(self, DONE) = 0;
        do
        :: masked[self] = MASKED;
            testset(to, GATE, got);
            if
            :: got -> push(to, 0, true); masked[self] = 0; wait_for_answer(); break
            :: else -> masked[self] = 0
            fi;
            masked[self] = MASKED;
            testset(to, LOCK, got);
            if
            :: got ->
                atomic { LOAD_PAST(self, to); tail = WORD(to, TAIL); head = WORD(to, HEAD) }
                if
#ifndef AWAKE_BY_GATE
                :: !(tail & 1) -> store(self, to, LOCK, 0); masked[self] = 0
#endif
                :: LOOKED_AWAKE && tail / 2 - head / 2 >= DEPTH ->
                    store(self, to, LOCK, 0);
                    atomic { masked[self] = 0; run_here++ }
                    break
                :: LOOKED_AWAKE && tail / 2 - head / 2 < DEPTH ->
                    push(to, tail, false);
                    store(self, to, LOCK, 0);
                    masked[self] = 0;
                    wait_for_answer();
                    break
                fi
            :: else -> masked[self] = 0
            fi
        od;
        tail = 0;
        head = 0
    :: else -> break
    od;
    finished++
}

proctype holder(byte self) provided (!handling[self] && !stands[self]) {
    byte times;
    do
    :: times < HOLDS ->
        times++;
        WORD(self, HEAD) = WORD(self, HEAD) | 1;
        WORD(self, HEAD) = WORD(self, HEAD) & 254;
#ifndef OPEN_SILENTLY
        if
        :: WORD(self, TAIL) != 0 -> latch[self] = 1
        :: else
        fi
#endif
    :: else -> break
    od
}

inline function(call) {
    assert(WORD(self, DATA + call / 16) == call % 16);
    runs++;
    if
    :: GETS && call / 16 < 2 ->
        WORD(self, GOT) = 0;
        store(self, call / 16, WANTED + self, 1);
        store(self, call / 16, ILATST, 1);
        WORD(self, GOT) == 1
    :: else
    fi;
#ifdef ANSWER_FIRST
    store(self, call / 16, DONE, 1);
    store(self, call / 16, RESULT, call % 16)
#else
    store(self, call / 16, RESULT, call % 16);
    store(self, call / 16, DONE, 1)
#endif
}

#ifdef IN_HANDLER
#define OUT_OF_HANDLER true
#else
#define OUT_OF_HANDLER !handling[self]
#endif

proctype server(byte self) provided (OUT_OF_HANDLER) {
    byte tail, head, call;
    bit got;
end: do
    :: stands[self] ->
        atomic { tail = WORD(self, TAIL); head = WORD(self, HEAD) }
        if
        :: tail != head ->
#ifdef FREE_FIRST
            WORD(self, HEAD) = head + 2;
            call = WORD(self, RING + (head / 2) % DEPTH);
#else
            call = WORD(self, RING + (head / 2) % DEPTH);
            WORD(self, HEAD) = head + 2;
#endif
            function(call);
            call = 0
        :: else ->
#ifndef SLEEP_UNLOCKED
            masked[self] = MASKED;
            testset(self, LOCK, got);
            if
            :: !got -> masked[self] = 0
            :: got ->
                atomic { tail = WORD(self, TAIL); head = WORD(self, HEAD) }
                if
                :: tail != head -> WORD(self, LOCK) = 0; masked[self] = 0
                :: else ->
#endif
#ifdef GATE_FIRST
                    WORD(self, GATE) = 0;
                    atomic { WORD(self, TAIL) = 0; WORD(self, HEAD) = 0 }
#else
                    atomic { WORD(self, TAIL) = 0; WORD(self, HEAD) = 0 }
                    WORD(self, GATE) = 0;
#endif
                    WORD(self, LOCK) = 0;
                    atomic { masked[self] = 0; handling[self] = 0; stands[self] = 0 }
#ifndef SLEEP_UNLOCKED
                fi
            fi
#endif
        fi
    od
}

proctype dispatcher(byte self) {
    byte who;
end: do
    :: atomic { latch[self] && !masked[self] && !handling[self] -> latch[self] = 0; handling[self] = 1 }
        do
        :: who == PES -> break
        :: who < PES && WORD(self, WANTED + who) == 0 -> who++
        :: who < PES && WORD(self, WANTED + who) == 1 ->
            WORD(self, WANTED + who) = 0;
            store(self, who, GOT, 1)
        od;
        who = 0;
        atomic {
            if
            :: (WORD(self, TAIL) & 1) && !SERVING(self) ->
                WORD(self, HEAD) = WORD(self, HEAD) + 1;
                stands[self] = 1;
#ifndef IN_HANDLER
                handling[self] = 0
#endif
            :: else ->
                assert(GETS || HOLDS || !stands[self]); /* no PE interrupts a core that runs the calls of its ring */
                handling[self] = 0
            fi
        }
    od
}

init {
    byte pe;
    atomic {
        run program(0, 1, CALLS_OF_0);
#if HOLDS
        run holder(0);
#endif
        run program(1, 0, CALLS_OF_1);
        run program(2, 0, CALLS_OF_2);
        for (pe : 0 .. 1) {
            run server(pe);
            run dispatcher(pe)
        }
        run deliver(0, 1);
        run deliver(1, 0);
        run deliver(2, 0);
        run deliver(0, 2)
    }
    finished == 3;
    assert(runs + run_here == CALLS_OF_0 + CALLS_OF_1 + CALLS_OF_2);
    WORD(0, GATE) == 0 && WORD(1, GATE) == 0
}
