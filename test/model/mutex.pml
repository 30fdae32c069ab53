// SPDX-License-Identifier: BSD-3-Clause
// The marked lock (src/omp/sync/mutex.h, critical.c), on memory with store buffers as on x86. Its values are: free;
// held; held with a mark; free, but reserved for a thread that has waited. The holder releases the lock by a plain load
// of the mark and a plain store, and then checks by a plain load if a thread sleeps. A thread that sleeps has first
// announced it, has made all processors empty their store buffers, and has polled the lock once more (wait.pml).
// `patience` is how long a waiter has polled. The model chooses it freely at each poll:
//     FRESH       the waiter takes the lock only if it is free
//     PATIENT     the waiter also takes the lock if it is reserved
//     EXHAUSTED   the waiter also marks the lock; a waiter that has slept has this value
// No sleep has a limit in this model, so a lost wake-up is a deadlock.
// Ordering in the code. Taking and marking the lock are compare-swaps; taking is an acquire. Releasing it is a release,
// and no other operation makes the holder's writes visible. Marking orders nothing. The holder's load of the mark need
// not be an acquire, because only marks change the word while the lock is held.
// Checked: one holder at a time; every waiter takes the lock in the end; at the end the lock is free for every thread.
// Mistakes that must be found:
//     -DWITHOUT_MEMBARRIER   a thread sleeps without the membarrier
//     -DLOOK_FIRST           a waiter polls the lock before it announces that it will sleep, and not afterwards
//     -DMARK_BY_STORE        a waiter marks by a store instead of a compare-swap
//     -DMARK_EARLY           a waiter that would not take a reserved lock marks the lock and sleeps
//     -DKEEP_MARK            the mark stays when a thread takes the lock
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

byte word;              // the lock, in memory
byte stored[THREADS];   // the thread's last store to the lock; pending: it is still in the store buffer
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

// A store may leave its store buffer at any time.
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

// Polls the lock, and takes or marks it if `patience` permits. The load and the compare-swap after it are one step: if
// the word changes between them, the compare-swap fails, and the next poll continues with the new value.
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
        :: !is_mine -> goto given // as omp_test_lock: this thread does not wait
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
