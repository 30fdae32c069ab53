/* SPDX-License-Identifier: BSD-3-Clause
 * Conditional atomics that wait (src/aos/deferred.c) on a machine whose stores wait in a buffer. Each changer sets its word by a plain
 * store and looks at the count by a plain load; each parker waits for one word. At the end, with nobody left to look, every
 * operation has been done, and once. Build with -DWITHOUT_MEMBARRIER, -DGIVE_UP (who finds the lock taken does not count its
 * change), -DUNCOUNTED (nor does a parker who looks again) or -DLOOK_FIRST (changes are read before the lock is given back)
 * to see one lost.
 */
// check: holds
// check: holds -DWORDS=2 -DPARKERS=1
// check: fails -DWITHOUT_MEMBARRIER
// check: fails -DGIVE_UP
// check: fails -DUNCOUNTED -DWORDS=2
// check: fails -DLOOK_FIRST
#ifndef PARKERS
#define PARKERS 2
#endif
#ifndef WORDS
#define WORDS 1 /* and changers; parker p waits for word p modulo WORDS. With 2 and 2 it holds too, in minutes. */
#endif

byte word[WORDS];       /* memory */
bit buffered[WORDS];    /* a store of 1 that only its changer's processor knows yet */
bit parked[PARKERS];
byte count;
byte changes;
bit lock;
byte done[PARKERS];
byte ended;

inline commit(w) {
    if
    :: buffered[w] -> word[w] = 1; buffered[w] = 0
    :: else
    fi
}

active [WORDS] proctype buffer() {
    byte w = _pid;
end: do
    :: atomic { buffered[w] -> word[w] = 1; buffered[w] = 0 }
    od
}

/* Each word is read at its own moment; the rest is under the lock. */
inline look() {
    i = 0;
    do
    :: i < PARKERS ->
        if
        :: parked[i] && word[i % WORDS] -> atomic { parked[i] = 0; count--; done[i]++; assert(done[i] == 1) }
        :: else
        fi;
        i++
    :: else -> break
    od
}

inline try_lock() {
    atomic { got = !lock; lock = 1 }
}

inline give_back_and_look_again() {
    do
    ::
#ifdef LOOK_FIRST
        now = changes;
        lock = 0;
#else
        lock = 0; /* and a fence */
        now = changes;
#endif
        if
        :: now == seen -> break
        :: else
        fi;
        try_lock();
        if
        :: !got -> break
        :: else
        fi;
        seen = changes;
        look()
    od
}

inline poll() {
    if
    :: count == 0
    :: else ->
        try_lock();
        if
        :: got ->
            seen = changes;
            look();
            give_back_and_look_again()
        :: else
        fi
    fi
}

active [WORDS] proctype changer() {
    byte w = _pid - WORDS, i, now, seen;
    bit got, waiting;
    buffered[w] = 1;      /* W1 */
    waiting = count != 0; /* W2: may be served before W1 leaves the buffer */
    if
    :: waiting ->         /* W3 */
#ifdef GIVE_UP
        atomic { commit(w) }
#else
        atomic { commit(w); changes++ }
#endif
        ;
        poll()
    :: else
    fi;
    ended++
}

active [PARKERS] proctype parker() {
    byte w = _pid - 2 * WORDS, i, now, seen;
    bit got;
    atomic { !lock -> lock = 1 }
    parked[w] = 1;        /* P1 */
    count++;
    seen = changes;
    look();
    give_back_and_look_again();
#ifndef WITHOUT_MEMBARRIER
    atomic { commit(0); commit(WORDS - 1) } /* P2 */
#endif
#ifndef UNCOUNTED
    changes++;            /* P3 */
#endif
    poll();
    ended++
}

active proctype judge() {
    byte w;
    ended == WORDS + PARKERS && !buffered[0] && !buffered[WORDS - 1];
    for (w : 0 .. PARKERS - 1) {
        assert(done[w] == 1)
    }
}
