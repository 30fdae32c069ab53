// SPDX-License-Identifier: BSD-3-Clause
// The marked lock (src/omp/mutex.h, critical.c), on memory behind store buffers as x86's: free, held, held with a mark, free for one who
// waits. Who gives it back looks whether it is marked and stores, both plainly, and looks by a plain load whether somebody
// sleeps; who sleeps has said so, has made all buffers empty, and has looked once more (wait.pml). How patient a waiter still is the
// model chooses at each look: FRESH takes what is free, after some looks also what is free with a mark, after more it marks; who
// has slept is as patient as can be. No sleep has a limit here, so that a lost wake-up is a deadlock.
// In the code: taking and marking are compare-swaps, the first an acquire; giving back is a release, and nothing else carries what
// the holder wrote. A mark carries nothing. The holder's look need be no acquire: only marks change the word meanwhile.
// Checked: one holder at a time; all who wait come to hold it; in the end it is free for everybody.
// Mistakes that must be found: -DWITHOUT_MEMBARRIER, -DLOOK_FIRST a waiter looks before it says that it will sleep, -DMARK_BY_STORE,
// -DMARK_EARLY a waiter marks, and sleeps,
// who does not take what is marked, -DKEEP_MARK the mark stays when the lock is taken.
// check: holds
// check: fails -DWITHOUT_MEMBARRIER
// check: fails -DLOOK_FIRST
// check: fails -DMARK_BY_STORE
// check: fails -DMARK_EARLY
// check: fails -DKEEP_MARK
#define THREADS 3
#define ROUNDS_OF(thread) (thread == 0 -> 2 : 1)
#define HELD 1
#define MARK 2

#define FRESH 0
#define PATIENT 1
#define EXHAUSTED 2
#define NEVER 3
#ifdef MARK_EARLY
#define MARKING FRESH
#else
#define MARKING EXHAUSTED
#endif

byte word;              // in memory
byte stored[THREADS];   // perhaps still in its thread's buffer
bool pending[THREADS];
bool sleeping;
byte rings;
bool asleep[THREADS];
byte holders, finished;

inline commit(t) {
    if
    :: pending[t] -> word = stored[t]; pending[t] = false
    :: else
    fi
}

// Buffered stores become visible at any time.
active proctype buffers() {
end:
    do
    :: atomic { pending[0] -> commit(0) }
    :: atomic { pending[1] -> commit(1) }
    :: atomic { pending[2] -> commit(2) }
    od
}

inline announce() {
    saved = rings;
    sleeping = true;
#ifndef WITHOUT_MEMBARRIER
    atomic { commit(0); commit(1); commit(2) }
#endif
}

// A look and the compare-swap that may follow are one step: that looks again, and what it finds changed is another look's.
inline look(marking) {
    atomic {
        commit(me);
        if
        :: word == 0 || (word == MARK && patience > FRESH) ->
#ifdef KEEP_MARK
            word = word | HELD;
#else
            word = HELD;
#endif
            is_mine = true
        :: else
        fi;
        must_mark = !is_mine && word == HELD && patience >= marking;
#ifndef MARK_BY_STORE
        if
        :: must_mark -> word = HELD + MARK; must_mark = false
        :: else
        fi
#endif
    }
#ifdef MARK_BY_STORE
    if
    :: must_mark -> word = HELD + MARK; must_mark = false
    :: else
    fi
#endif
}

inline go_to_sleep() {
    atomic { // the kernel compares and queues in one step
        if
        :: rings == saved -> asleep[me] = true
        :: else
        fi
    }
    !asleep[me];
#ifndef MARK_EARLY
    patience = EXHAUSTED
#endif
}

inline ring() {
    atomic { commit(me); must_ring = sleeping; sleeping = false }
    if
    :: must_ring -> atomic { rings = (rings + 1) % 4; asleep[0] = false; asleep[1] = false; asleep[2] = false }
    :: else
    fi
}

active [THREADS] proctype thread() {
    byte me = _pid - 1, round = 0, saved, mark, patience;
    bool is_mine, must_mark, must_ring;
    do
    :: round < ROUNDS_OF(me) ->
        look(NEVER);
        if
        :: !is_mine -> goto given // omp_test_lock
        :: true
        fi;
        do
        :: is_mine -> break
        :: !is_mine && patience < EXHAUSTED -> patience++; look(MARKING)
#ifdef LOOK_FIRST
        :: !is_mine -> look(MARKING);
            if
            :: is_mine -> break
            :: else
            fi;
            announce();
            go_to_sleep()
#else
        :: !is_mine -> announce();
            look(MARKING);
            if
            :: is_mine -> break
            :: else
            fi;
            go_to_sleep()
#endif
        od;
        atomic { holders++; assert(holders == 1) }
        atomic { holders--; mark = word & MARK }
        atomic { stored[me] = mark; pending[me] = true; mark = 0 }
        if
        :: sleeping -> ring()
        :: else
        fi;
given:
        atomic { round++; patience = FRESH; saved = 0; is_mine = false; must_ring = false }
    :: else -> break
    od;
    atomic {
        finished++;
        if
        :: finished == THREADS -> commit(0); commit(1); commit(2); assert(word == 0)
        :: else
        fi
    }
}
