/* SPDX-License-Identifier: BSD-3-Clause
 * The sleeping protocol of src/machine/linux/eventcount.h on a machine with store buffers. Each writer stores its own word by
 * a plain store (buffered) and loads `sleeping` by a plain load. Each sleeper waits for one word. W1 to S4 are the
 * steps of the comment at the head of eventcount.h. No sleep has a limit here, so a lost wake-up is a deadlock.
 * Mistakes: -DWITHOUT_MEMBARRIER; -DFLAG_AFTER_LOOK the sleeper sets `sleeping` after it has polled the word.
 *
 * The number `eventcount` has two bits and begins at its largest value, so that it wraps round. With -DCOUNT_VALUES=2 it has
 * one bit: two notifications between a sleeper's poll and its sleep bring it back to the value that the sleeper has
 * saved, and the sleeper is not woken. This is why each sleep of the code has a limit.
 *
 * -DFEW adds skerry_notify_n of src/machine/linux/threads/wait.c: a process that wakes one of the sleepers for another
 * reason and leaves the announcement to the other sleepers.
 * Mistake: -DFEW_TAKES_FLAG it clears `sleeping`, which loses the other sleepers.
 */
// check: holds
// check: fails -DWITHOUT_MEMBARRIER
// check: fails -DFLAG_AFTER_LOOK
// check: fails -DCOUNT_VALUES=2
// check: holds -DFEW
// check: fails -DFEW -DFEW_TAKES_FLAG
#define SLEEPERS 2
#define WRITERS 2
#ifndef COUNT_VALUES
#define COUNT_VALUES 4
#endif

byte word[WRITERS];      /* in memory: visible to all */
bit buffered[WRITERS];   /* 1: the writer's store of 1 is still in its processor's store buffer */
bit sleeping;
byte eventcount = COUNT_VALUES - 1;
bit asleep[SLEEPERS];

inline commit(w) {
    if
    :: buffered[w] -> word[w] = 1; buffered[w] = 0
    :: else
    fi
}

/* The processor may empty its store buffer at any time. */
active [WRITERS] proctype buffer() {
    byte w = _pid;
end: do
    :: atomic { buffered[w] -> word[w] = 1; buffered[w] = 0 }
    od
}

inline ring() {
    bit was;
    atomic { commit(w); was = sleeping; sleeping = 0 } /* a locked swap empties the buffer first */
    if
    :: was ->
        eventcount = (eventcount + 1) % COUNT_VALUES;
        atomic { /* wakes all processes that sleep now */
            asleep[0] = 0;
            asleep[1] = 0
        }
    :: else
    fi
}

active [WRITERS] proctype writer() {
    byte w = _pid - WRITERS;
    bit seen;
    buffered[w] = 1;  /* W1 */
    seen = sleeping;  /* W2: may be executed before W1 leaves the buffer */
    if
    :: seen -> ring() /* W3 */
    :: else
    fi
}

inline membarrier() {
#ifdef WITHOUT_MEMBARRIER
    skip
#else
    atomic { commit(0); commit(1) }
#endif
}

active [SLEEPERS] proctype sleeper() {
    byte s = _pid - 2 * WRITERS;
    byte saved;
    do
    :: word[s] == 1 -> break
    :: else ->
#ifdef FLAG_AFTER_LOOK
        saved = eventcount;
        membarrier();
        if
        :: word[s] == 1 -> break
        :: else
        fi;
        sleeping = 1;
#else
        saved = eventcount;       /* S1 */
        sleeping = 1;       /* S2: a locked store, not buffered */
        membarrier();       /* S3 */
        if                  /* S4 */
        :: word[s] == 1 -> break
        :: else
        fi;
#endif
        atomic {            /* the kernel compares and queues in one step */
            if
            :: eventcount == saved -> asleep[s] = 1
            :: else
            fi
        }
        !asleep[s]
    od
}

#ifdef FEW
active proctype few() {
    bit seen;
    seen = sleeping;
    if
    :: seen ->
#ifdef FEW_TAKES_FLAG
        sleeping = 0;
#endif
        eventcount = (eventcount + 1) % COUNT_VALUES;
        atomic {
            if
            :: asleep[0] -> asleep[0] = 0
            :: asleep[1] -> asleep[1] = 0
            :: else
            fi
        }
    :: else
    fi
}
#endif
