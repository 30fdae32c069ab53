/* SPDX-License-Identifier: BSD-3-Clause
 * Gets that are completed later, src/machine/epiphany/get.{c,S} and the end of quiet.S: PE 0 asks PEs 1 and 2, who push their data
 * and PE 0's flag behind it. One request is under way: the next one waits for the flag. The program begins two gets, is quiet, and gets
 * once more with a wait. A remote procedure call, with interrupts on, may come anywhere, begin a get too, and be quiet or not. A
 * handler, with interrupts off, may come anywhere and be quiet: it cannot wait for the flag, and leaves that to the program's quiet.
 * A request is made with interrupts masked, from the last look at the flag on. Checks that at the end of a quiet, and of a get with a
 * wait, the data are there, at the end of all those of the calls too, and that nobody waits for ever.
 *
 * Mistakes: -DMASKED_LATE masks behind the last look, where a call may have begun a get; -DUNMASKED does not, and a call's quiet waits
 * for a request that is not sent; -DGOT_FIRST pushes the flag before the data; -DUNNOTED leaves nothing for quiet to find;
 * -DFORGET is a handler's quiet that takes this away.
 */
// check: holds
// check: fails -DMASKED_LATE
// check: fails -DUNMASKED
// check: fails -DGOT_FIRST
// check: fails -DUNNOTED
// check: fails -DFORGET
#define PES 3
#define REQUEST 0 /* the destination that PE 0 asks for */
#define WANTED 1
#define GOT 2
#define DATA 3 /* + destination, from 1 on */
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

bit masked; /* the program's interrupts */
bit noted;  /* for quiet */
bit called; /* the program stands still */
bit finished;
byte calls;
bit begun; /* the last call's get */

/* A call's own mask keeps only further calls out, and none comes in the model. */
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

/* Each interrupts the program: a call that begins a get, or a handler that is quiet. */
proctype interruptions() {
    bit was;
    byte owner;
    do
    :: calls < CALLS ->
        atomic { !masked -> called = 1 }
        if
        :: true ->
            quiet(); /* its last get's destination is used again */
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
