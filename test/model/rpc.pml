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
 * Mistakes: -DSLEEP_UNLOCKED goes to sleep after a look without the lock; -DINTERRUPT_FIRST stores ILATST before the call's
 * end; -DEND_FIRST stores the ring's end before the call; -DFREE_FIRST gives a place back before the call was read;
 * -DANSWER_FIRST says done before the result; -DUNMASKED holds a lock with interrupts on; -DIN_HANDLER runs functions with
 * the interrupt held out, and two that get from each other wait.
 */
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
#define TAIL 0 /* 2 for each call, and 1: awake */
#define HEAD 1 /* the same, and 1: serving */
#define LOCK 2
#define RING 3
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
#define CALL(from, number) ((from) * 16 + (number))

bit masked[PES];
bit handling[PES]; /* IPEND */
byte runs, run_here, finished;

#define SERVING(pe) (WORD(pe, HEAD) & 1)

/* TESTSET, until it is ours: interrupts come through meanwhile. */
inline take_lock(pe) {
    do
    :: masked[self] = MASKED;
        atomic {
            LOAD_PAST(self, pe);
            if
            :: WORD(pe, LOCK) == 0 -> WORD(pe, LOCK) = 1; break
            :: else -> masked[self] = 0
            fi
        }
        WORD(pe, LOCK) == 0
    od
}

proctype program(byte self, to, calls) provided (!handling[self] && !SERVING(self)) {
    byte number, tail, head;
    do
    :: number < calls ->
        number++;
        store(self, to, DATA + self, number);
        WORD(self, DONE) = 0;
        take_lock(to);
        atomic { LOAD_PAST(self, to); tail = WORD(to, TAIL); head = WORD(to, HEAD) }
        if
        :: tail / 2 - head / 2 >= DEPTH ->
            store(self, to, LOCK, 0);
            atomic { masked[self] = 0; run_here++ }
        :: else ->
#ifdef END_FIRST
            store(self, to, TAIL, (tail | 1) + 2);
            store(self, to, RING + (tail / 2) % DEPTH, CALL(self, number));
#else
            store(self, to, RING + (tail / 2) % DEPTH, CALL(self, number));
#ifdef INTERRUPT_FIRST
            if
            :: tail & 1
            :: else -> store(self, to, ILATST, 1)
            fi;
#endif
            store(self, to, TAIL, (tail | 1) + 2);
#endif
#ifndef INTERRUPT_FIRST
            if
            :: tail & 1
            :: else -> store(self, to, ILATST, 1)
            fi;
#endif
            store(self, to, LOCK, 0);
            masked[self] = 0;
            WORD(self, DONE) == 1;
            assert(WORD(self, RESULT) == number)
        fi
    :: else -> break
    od;
    finished++
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
end: do
    :: SERVING(self) ->
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
#ifdef SLEEP_UNLOCKED
            atomic { WORD(self, TAIL) = tail - 1; WORD(self, HEAD) = head - 1; handling[self] = 0 }
#else
            take_lock(self);
            atomic { tail = WORD(self, TAIL); head = WORD(self, HEAD) }
            if
            :: tail != head -> WORD(self, LOCK) = 0; masked[self] = 0
            :: else ->
                WORD(self, TAIL) = tail - 1;
                atomic { WORD(self, HEAD) = head - 1; WORD(self, LOCK) = 0; masked[self] = 0; handling[self] = 0 }
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
#ifndef IN_HANDLER
                handling[self] = 0
#endif
            :: else ->
                assert(GETS || !SERVING(self)); /* nobody interrupts a core that works through its ring */
                handling[self] = 0
            fi
        }
    od
}

init {
    byte pe;
    atomic {
        run program(0, 1, CALLS_OF_0);
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
    WORD(0, TAIL) == WORD(0, HEAD) && WORD(1, TAIL) == WORD(1, HEAD)
}
