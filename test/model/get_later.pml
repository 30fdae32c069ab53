/* SPDX-License-Identifier: BSD-3-Clause
 * Gets that are completed later (src/machine/epiphany/get.{c,S} and the end of quiet.S). PE 0 sends a request to PE 1
 * or PE 2. The owner stores the data at PE 0, and after the data PE 0's flag GOT. PE 0 has at most one request in
 * progress: the next request waits for the flag. A request is made with interrupts masked, from the last load of the
 * flag on.
 *   The program begins two gets, calls quiet, and makes one more get that waits for its data.
 *   A remote procedure call, which runs with interrupts enabled, may interrupt the program anywhere. It may begin a get
 *   too, and may call quiet or not.
 *   A handler, which runs with interrupts masked, may interrupt the program anywhere and call quiet. It cannot wait for
 *   the flag, so it leaves this wait to the program's quiet.
 * Checks that the data is there after a quiet and after a get that waits, including the data of gets that calls began,
 * and that no PE waits for ever.
 *
 * Mistakes:
 *   -DMASKED_LATE   masks interrupts only after the last load of the flag; a call in between may have begun a get
 *   -DUNMASKED      does not mask interrupts; a call's quiet then waits for a request that is not sent yet
 *   -DGOT_FIRST     the owner stores the flag before the data
 *   -DUNNOTED       a get leaves no note for quiet that it was begun
 *   -DFORGET        a handler's quiet clears the note of such a get
 */
// check: holds
// check: fails -DMASKED_LATE
// check: fails -DUNMASKED
// check: fails -DGOT_FIRST
// check: fails -DUNNOTED
// check: fails -DFORGET
#define PES 3
#define REQUEST 0 /* number of the get that PE 0 requests: FIRST, SECOND, WAITED or OF_CALL */
#define WANTED 1
#define GOT 2
#define DATA 3 /* + number of the get, from 1 on: its destination */
#define FIRST 1
#define SECOND 2
#define WAITED 3
#define OF_CALL 4
#define PLACES 8
#ifndef CALLS
#define CALLS 2
#endif
#ifdef UNMASKED
#define MASKED 0
#else
#define MASKED 1
#endif
#include "network.pml"

bit masked; /* the program has masked interrupts */
bit noted;  /* a get was begun that quiet must wait for */
bit called; /* an interruption runs, and the program does not */
bit finished;
byte calls;
bit begun; /* owner of the last call's get, minus 1 */

/* If a call masks interrupts, this keeps out only further calls, and no call interrupts another one in this model. */
inline ask(owner, what) {
#ifndef MASKED_LATE
    atomic { WORD(0, GOT) == 1 -> masked = MASKED };
#else
    WORD(0, GOT) == 1;
    masked = MASKED;
#endif
    WORD(0, GOT) = 0;
    store(0, owner, REQUEST, what);
    store(0, owner, WANTED, 1);
    store(0, owner, ILATST, 1);
    masked = 0
}

inline get_later(owner, what) {
    WORD(0, DATA + what) = 0;
    ask(owner, what);
#ifndef UNNOTED
    noted = 1
#endif
}

inline get(owner, what) {
    WORD(0, DATA + what) = 0;
    ask(owner, what);
    WORD(0, GOT) == 1
}

inline quiet() {
    atomic { was = noted; noted = 0 }
    if
    :: was -> WORD(0, GOT) == 1
    :: else
    fi
}

proctype program() provided (!called) {
    bit was;
    byte owner = 1;
    get_later(1, FIRST);
    if
    :: owner = 1
    :: owner = 2
    fi;
    get_later(owner, SECOND);
    quiet();
    assert(WORD(0, DATA + FIRST) == 1 && WORD(0, DATA + SECOND) == owner);
    get(1, WAITED);
    assert(WORD(0, DATA + WAITED) == 1);
    calls == CALLS;
    quiet();
    assert(WORD(0, DATA + OF_CALL) == begun + 1);
    finished = 1
}

/* Interrupts the program by a call that begins a get, or by a handler that calls quiet. */
proctype interruptions() {
    bit was;
    byte owner;
    do
    :: calls < CALLS ->
        atomic { !masked -> called = 1 }
        if
        :: true ->
            quiet(); /* the destination of its last get is used again */
            if
            :: owner = 1
            :: owner = 2
            fi;
            get_later(owner, OF_CALL);
            begun = owner - 1;
            if
            :: true -> quiet(); assert(WORD(0, DATA + OF_CALL) == owner)
            :: true
            fi
        :: true ->
            atomic {
                was = noted;
                noted = 0;
#ifndef FORGET
                if
                :: was && WORD(0, GOT) == 0 -> noted = 1
                :: else
                fi
#endif
            }
        fi;
        atomic { calls++; called = 0 }
    :: else -> break
    od
}

proctype owner_of(byte self) {
    byte what;
end: do
    :: atomic { latch[self] -> latch[self] = 0 }
        if
        :: WORD(self, WANTED) ->
            what = WORD(self, REQUEST);
            WORD(self, WANTED) = 0;
#ifdef GOT_FIRST
            store(self, 0, GOT, 1);
#endif
            store(self, 0, DATA + what, self);
#ifndef GOT_FIRST
            store(self, 0, GOT, 1)
#else
            skip
#endif
        :: else
        fi;
        what = 0
    od
}

init {
    atomic {
        WORD(0, GOT) = 1;
        WORD(0, DATA + OF_CALL) = 1; /* before any call */
        run program();
        run interruptions();
        run owner_of(1);
        run owner_of(2);
        run deliver(0, 1);
        run deliver(0, 2);
        run deliver(1, 0);
        run deliver(2, 0)
    }
    finished
}
