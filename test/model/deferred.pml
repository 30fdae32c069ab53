/* SPDX-License-Identifier: BSD-3-Clause
 * Deferred atomics: conditional atomics that wait for their condition (src/aos/deferred.c), on a machine with store
 * buffers. Each changer sets its word by a plain store and then loads the count of deferred atomics by a plain load.
 * Each parker defers an atomic that waits for one word. W1 to P3 are the steps of the comment at the head of
 * deferred.c. Checks that in the end every deferred atomic has been done exactly once, although no process polls the
 * list any more. Each mistake loses one:
 *   -DWITHOUT_MEMBARRIER   the parker does not make the other processors execute a fence
 *   -DGIVE_UP              a changer does not increment `changes`, so the lock's holder does not poll again
 *   -DUNCOUNTED            a parker does not increment `changes` before its last poll
 *   -DLOOK_FIRST           the lock's holder reads `changes` before it releases the lock
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
/* Number of words, and of changers. Parker p waits for word p modulo WORDS. 2 words and 2 parkers hold, too, but take
 * minutes. */
#define WORDS 1
#endif

byte word[WORDS];       /* in memory: visible to all */
bit buffered[WORDS];    /* 1: the changer's store of 1 is still in its processor's store buffer */
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

/* Polls the list. Each word is read in a step of its own; the list itself is protected by the lock. */
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
        lock = 0; /* the code executes a full fence after this */
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
    waiting = count != 0; /* W2: may be executed before W1 leaves the store buffer */
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
