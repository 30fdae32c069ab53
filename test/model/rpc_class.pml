/* SPDX-License-Identifier: BSD-3-Clause
 * Classes of calls on the chip (src/machine/epiphany/rpc_class.c). PE 0 has a ring for normal calls, that of rpc.pml,
 * and a second ring for another class. Both use the same lock and the same words that say if PE 0 is awake. PE 1 makes
 * normal calls and PE 2 calls of the other class; neither waits for answers. At first PE 0 defers one class: if URGENT
 * the normal calls, because the other class is urgent, otherwise the other class, which is then the background class.
 * At the end PE 0 no longer defers it.
 * Checks that every call is run, that no call is run while it is deferred, and that an urgent call is run while normal
 * calls are deferred. Callers make so few calls that no ring is ever full.
 *
 * Mistakes:
 *   -DNO_DOZE          an owner with deferred normal calls goes to sleep, instead of dozing, and loses these calls
 *   -DDOZE_UNTOLD      a caller does not interrupt an owner that dozes
 *   -DLIMIT_UNLOCKED   PE 0 changes what is deferred without the lock
 *   -DWAKE_FIRST       a caller wakes the owner before it has stored the call
 *   -DCLASS_UNSEEN     the owner sleeps without a look at the other ring under the lock
 */
// check: holds
// check: holds -DURGENT=0 -DCALLS=1
// check: holds -DURGENT=0
// check: fails -DNO_DOZE
// check: fails -DDOZE_UNTOLD
// check: fails -DURGENT=0 -DCALLS=1 -DLIMIT_UNLOCKED
// check: fails -DWAKE_FIRST
// check: fails -DURGENT=0 -DCLASS_UNSEEN
#define PES 3
#ifndef CALLS
#define CALLS 2
#endif
#ifndef URGENT
#define URGENT 1
#endif
#define TAIL 0 /* 2 for each call that was added; bit 0: the owner is awake */
#define HEAD 1 /* 2 for each call that the owner has taken; bit 0: the owner runs calls */
#define LOCK 2
#define GATE 3
#define OTHER_TAIL 4
#define OTHER_HEAD 5
#define DEFERRED 6 /* 1: normal calls (if URGENT) or calls of the other class are deferred */
#define DOZES 7
#define PLACES 8
#include "network.pml"

bit masked[PES];
bit handling, stands;
byte runs, finished;
bit opened; /* no class is deferred any more */

#if URGENT
#define OTHER_STAYS(pe) false
#define NORMAL_STAYS(pe) WORD(pe, DEFERRED)
#else
#define OTHER_STAYS(pe) WORD(pe, DEFERRED)
#define NORMAL_STAYS(pe) false
#endif
#define NORMAL_WAITS (WORD(0, TAIL) != WORD(0, HEAD) && !NORMAL_STAYS(0))
#define OTHER_WAITS (WORD(0, OTHER_TAIL) != WORD(0, OTHER_HEAD) && !OTHER_STAYS(0))

inline testset(pe, place, got) {
    atomic { LOAD_PAST(self, pe); got = WORD(pe, place) == 0; WORD(pe, place) = 1 }
}

/* Makes normal calls, as `program` of rpc.pml does. */
proctype caller(byte self) {
    byte number, tail;
    bit got;
    do
    :: number < CALLS ->
        number++;
        do
        :: testset(0, GATE, got);
            if
            :: got -> store(self, 0, TAIL, 3); store(self, 0, ILATST, 1); break
            :: else
            fi;
            testset(0, LOCK, got);
            if
            :: got ->
                tail = WORD(0, TAIL);
                if
                :: tail & 1 -> store(self, 0, TAIL, tail + 2); store(self, 0, LOCK, 0); break
                :: else -> store(self, 0, LOCK, 0)
                fi
            :: else
            fi
        od;
        tail = 0
    :: else -> break
    od;
    finished++
}

inline put_call() {
    store(self, 0, OTHER_TAIL, number)
}

proctype other_caller(byte self) {
    byte number;
    bit got, stays, awake;
    do
    :: number < CALLS ->
        number++;
        do
        :: testset(0, LOCK, got);
            if
            :: got ->
                stays = OTHER_STAYS(0);
                awake = WORD(0, TAIL) & 1;
                if
                :: stays -> put_call(); store(self, 0, LOCK, 0); break
                :: !stays && awake ->
                    put_call();
#ifndef DOZE_UNTOLD
                    if
                    :: WORD(0, DOZES) -> store(self, 0, ILATST, 1)
                    :: else
                    fi;
#endif
                    store(self, 0, LOCK, 0);
                    break
                :: else ->
                    testset(0, GATE, got);
                    if
                    :: got ->
#ifdef WAKE_FIRST
                        store(self, 0, TAIL, 1);
                        store(self, 0, ILATST, 1);
                        store(self, 0, LOCK, 0);
                        put_call();
#else
                        put_call();
                        store(self, 0, TAIL, 1);
                        store(self, 0, ILATST, 1);
                        store(self, 0, LOCK, 0);
#endif
                        break
                    :: else -> store(self, 0, LOCK, 0)
                    fi
                fi
            :: else
            fi
        od;
        stays = 0;
        awake = 0
    :: else -> break
    od;
    finished++
}

/* PE 0's program: ends the deferral that is in force at the start. */
proctype program(byte self) provided (!handling && !stands) {
    bit got, waits;
#if URGENT
    WORD(0, OTHER_HEAD) == CALLS; /* all urgent calls are run although normal calls are deferred */
#endif
#ifdef LIMIT_UNLOCKED
    WORD(0, DEFERRED) = 0;
    waits = NORMAL_WAITS || OTHER_WAITS;
    if
    :: waits && !(WORD(0, TAIL) & 1) ->
        testset(0, GATE, got);
        if
        :: got -> WORD(0, TAIL) = 1
        :: else
        fi
    :: else
    fi;
#else
    do
    :: masked[0] = 1;
        testset(0, LOCK, got);
        if
        :: got -> break
        :: else -> masked[0] = 0
        fi
    od;
    WORD(0, DEFERRED) = 0;
    WORD(0, DOZES) = 0;
    waits = NORMAL_WAITS || OTHER_WAITS;
    if
    :: waits && !(WORD(0, TAIL) & 1) ->
        testset(0, GATE, got);
        if
        :: got -> WORD(0, TAIL) = 1
        :: else
        fi
    :: else
    fi;
    WORD(0, LOCK) = 0;
    masked[0] = 0;
#endif
    opened = 1;
    if
    :: waits -> latch[0] = 1
    :: else
    fi;
    finished++
}

inline sleep_or_doze() {
    if
#ifdef NO_DOZE
    :: true ->
#else
    :: WORD(0, TAIL) == WORD(0, HEAD) ->
#endif
        atomic { WORD(0, TAIL) = 0; WORD(0, HEAD) = 0 }
        WORD(0, GATE) = 0
#ifndef NO_DOZE
    :: else -> WORD(0, HEAD) = WORD(0, HEAD) - 1; WORD(0, DOZES) = 1
#endif
    fi
}

proctype server(byte self) provided (!handling) {
    bit got;
end: do
    :: stands && NORMAL_WAITS && !(URGENT && OTHER_WAITS) -> atomic { WORD(0, HEAD) = WORD(0, HEAD) + 2; runs++ }
    :: stands && OTHER_WAITS && (URGENT || !NORMAL_WAITS) -> atomic { WORD(0, OTHER_HEAD) = WORD(0, OTHER_HEAD) + 1; runs++ }
    :: stands && !NORMAL_WAITS && !OTHER_WAITS ->
        masked[0] = 1;
        testset(0, LOCK, got);
        if
#ifdef CLASS_UNSEEN
        :: got && !NORMAL_WAITS ->
#else
        :: got && !NORMAL_WAITS && !OTHER_WAITS ->
#endif
            sleep_or_doze();
            WORD(0, LOCK) = 0;
            atomic { masked[0] = 0; stands = 0 }
        :: else ->
            if
            :: got -> WORD(0, LOCK) = 0
            :: else
            fi;
            masked[0] = 0
        fi
    od
}

proctype dispatcher(byte self) {
end: do
    :: atomic { latch[0] && !masked[0] && !handling -> latch[0] = 0; handling = 1 }
        atomic {
            if
            :: (WORD(0, TAIL) & 1) && !(WORD(0, HEAD) & 1) ->
                WORD(0, HEAD) = WORD(0, HEAD) + 1;
                WORD(0, DOZES) = 0;
                stands = 1
            :: else
            fi;
            handling = 0
        }
    od
}

init {
    atomic {
        WORD(0, DEFERRED) = 1;
        run program(0);
        run caller(1);
        run other_caller(2);
        run server(0);
        run dispatcher(0);
        run deliver(1, 0);
        run deliver(2, 0)
    }
    finished == 3;
    runs == 2 * CALLS;
    WORD(0, GATE) == 0 && WORD(0, TAIL) == 0 && WORD(0, LOCK) == 0
}
