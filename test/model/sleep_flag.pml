/* SPDX-License-Identifier: BSD-3-Clause
 * The flag of src/machine/linux/sleep_flag.h on a machine with store buffers. Either the sleeper makes all writers
 * fence, by a membarrier, or each writer fences for itself; this changes while they run. Each writer stores the numbers
 * 1 to ROUNDS into its word by plain stores (buffered), and loads the flag by a plain load after each store. A sleeper
 * waits for each number of one word in turn. A writer whose fence found no sleeper may stop the fences at any time. No
 * sleep has a limit here, so a lost wake-up is a deadlock. Mistakes:
 *   -DWITHOUT_FENCE      a writer that finds the flag set loads it again without a fence
 *   -DALL_FIRST          a sleeper sets ALL_WAKERS_FENCE before its membarrier
 *   -DALL_BY_ANYONE      a sleeper that has not set WAKERS_FENCE itself sets ALL_WAKERS_FENCE, perhaps in a later
 *                        period of fences
 *   -DSTOP_BY_STORE      a writer stops the fences without checking if a sleeper is announced
 */
// check: holds -DROUNDS=1
// check: large
// check: fails -DWITHOUT_FENCE
// check: fails -DALL_FIRST
// check: fails -DALL_BY_ANYONE
// check: fails -DSTOP_BY_STORE
#ifndef ROUNDS
#define ROUNDS 2
#endif
#define PAIRS 2 /* number of writers, each with one sleeper; all use one flag */
#define ANNOUNCED 1
#define WAKERS_FENCE 2
#define ALL_WAKERS_FENCE 4

byte word[PAIRS];     /* in memory: visible to all */
byte buffered[PAIRS]; /* value in the store buffer of the writer's processor; 0: none */
byte flag;
byte eventcount;
bit asleep[PAIRS];

inline commit(w) {
    if
    :: buffered[w] -> word[w] = buffered[w]; buffered[w] = 0
    :: else
    fi
}

inline membarrier() {
    atomic { commit(0); commit(1) }
}

/* The processor may empty its store buffer at any time. */
active [PAIRS] proctype buffer() {
    byte w = _pid;
end: do
    :: atomic { buffered[w] -> word[w] = buffered[w]; buffered[w] = 0 }
    od
}

active [PAIRS] proctype writer() {
    byte w = _pid - PAIRS;
    byte number = 1, seen;
    do
    :: number <= ROUNDS ->
        atomic { commit(w); buffered[w] = number }; /* stores leave the buffer in order */
        seen = flag;                                /* may be executed before the store leaves the buffer */
        if
        :: seen != 0 ->
#ifndef WITHOUT_FENCE
            atomic { commit(w) };
#endif
            seen = flag;
            if
            :: seen & ANNOUNCED ->
                atomic { commit(w); seen = flag; flag = flag & ~ANNOUNCED };
                if
                :: seen & ANNOUNCED ->
                    eventcount++;
                    atomic { asleep[0] = 0; asleep[1] = 0 }
                :: else
                fi
            :: else
                if
                :: true
                :: true ->
#ifdef STOP_BY_STORE
                    flag = 0
#else
                    atomic {
                        if
                        :: flag == (WAKERS_FENCE | ALL_WAKERS_FENCE) -> flag = 0
                        :: else
                        fi
                    }
#endif
                fi
            fi
        :: else
        fi;
        number++
    :: else -> break
    od
}

active [PAIRS] proctype sleeper() {
    byte s = _pid - 2 * PAIRS;
    byte number = 1, saved, before;
    do
    :: number > ROUNDS -> break
    :: number <= ROUNDS && word[s] >= number -> number++
    :: number <= ROUNDS && word[s] < number ->
        saved = eventcount;
        atomic { before = flag; flag = flag | ANNOUNCED | WAKERS_FENCE };
        if
        :: before & ALL_WAKERS_FENCE
        :: else ->
#ifdef ALL_FIRST
            if
            :: !(before & WAKERS_FENCE) -> flag = flag | ALL_WAKERS_FENCE
            :: else
            fi;
#endif
            membarrier();
#ifdef ALL_BY_ANYONE
            atomic { flag = flag | WAKERS_FENCE | ALL_WAKERS_FENCE }
#else
            if
            :: !(before & WAKERS_FENCE) -> atomic { flag = flag | ALL_WAKERS_FENCE }
            :: else
            fi
#endif
        fi;
        if
        :: word[s] < number ->
            atomic { /* the kernel compares and queues in one step */
                if
                :: eventcount == saved -> asleep[s] = 1
                :: else
                fi
            };
            !asleep[s]
        :: else
        fi
    od
}
