/* SPDX-License-Identifier: BSD-3-Clause
 * Remote procedure calls on the chip, src/machine/epiphany/rpc.S and rpc_serve.S. PEs 0 and 1 call each other, PE 2 calls 0, at
 * any pace. A function looks at what its caller has stored before, gets from its caller by interrupting it if GETS, and
 * stores a result at the caller. Checks that each call is run once, by its owner with all that was stored before it or by
 * its caller, that the result is there with the answer, that a core that works through its ring is interrupted for nothing,
 * and that nobody waits for ever. Loads may pass stores here.
 *
 * The latch is cleared when the handler is entered. Calls are run outside of it: the program stands still meanwhile, and the
 * handler may come in.
 *
 * Mistakes: -DSLEEP_UNLOCKED goes to sleep after a look without the lock; -DGATE_FIRST opens the gate before the ends are
 * at the start; -DAWAKE_BY_GATE takes a gate that is shut for an owner that is awake; -DINTERRUPT_FIRST stores ILATST before the call's
 * end; -DEND_FIRST stores the ring's end before the call; -DFREE_FIRST gives a place back before the call was read;
 * -DANSWER_FIRST says done before the result; -DUNMASKED holds a lock with interrupts on; -DIN_HANDLER runs functions with
 * the interrupt held out, and two that get from each other wait.
 *
 * HOLDS: so often PE 0 shuts its ring for a while (rpc_hold.c), in place of its calls. Mistake: -DOPEN_SILENTLY does not interrupt
 * itself when the ring is open again.
 */
// check: holds
// check: holds -DCALLS_OF_0=0 -DCALLS_OF_1=2 -DCALLS_OF_2=2
// check: holds -DCALLS_OF_0=0 -DCALLS_OF_1=2 -DCALLS_OF_2=2 -DDEPTH=2
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
// check: holds -DCALLS_OF_0=0 -DHOLDS=1
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
#define TAIL 0 /* 2 for each call, and 1: awake */
#define HEAD 1 /* the same, and 1: serving */
#define LOCK 2
#define GATE 3 /* 0: it sleeps */
#define RING 4
#define DONE (RING + DEPTH)
#define RESULT (DONE + 1)
#define WANTED (DONE + 2) /* + requester */
#define GOT (DONE + 5)
#define DATA (DONE + 6) /* + caller */
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
bit handling[PES]; /* IPEND */
byte runs, run_here, finished;

#define SERVING(pe) (WORD(pe, HEAD) & 1)
bit stands[PES]; /* the program, while calls are run */

inline testset(pe, place, got) {
    atomic { LOAD_PAST(self, pe); got = WORD(pe, place) == 0; WORD(pe, place) = 1 }
}

/* The ring's end, and ILATST for an owner that sleeps; or a mistake. */
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
                assert(GETS || HOLDS || !stands[self]); /* nobody interrupts a core that works through its ring */
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
