// SPDX-License-Identifier: BSD-3-Clause
// Loops with schedule(dynamic) whose chunks may run in any order (src/omp/work_sharing/schedule.c). Threads take
// batches of chunks from one counter. Each thread keeps the chunks that it has not begun in its range: the owner takes
// the first chunk by an atomic addition, and thieves steal the last half by compare-swap. Two loops after each other
// use the same ranges. The first loop may be cancelled, so that threads leave it at any time. The last chunk goes to a
// thread that finds no other chunk.
// Checked: no chunk is given out twice; all chunks are given out if no thread leaves early, and then all ranges are
// empty; a thread that got the last chunk gets no other chunk after it. The order of different words does not matter,
// because each word is changed by itself and no other data is handed over with it.
// Mistakes that must be found:
//     -DTHIEF_STORES    a thief stores the new end without comparing
//     -DOWNER_STORES    the owner adds without a locked operation
//     -DBELIEVE_LOOK    the owner uses the range that it loaded before its addition, not the result of the addition
//     -DNOT_CLEARED     the ranges of a cancelled loop are not emptied
//     -DKEEP_FIRST      a thief takes a chunk and also leaves it in its new range
//     -DLAST_IN_RANGE   the last chunk is in a range like all other chunks
// check: large -DCHUNKS=4
// check: holds -DTHREADS=2 -DCHUNKS=7
// check: fails -DTHIEF_STORES
// check: fails -DOWNER_STORES
// check: fails -DBELIEVE_LOOK
// check: fails -DNOT_CLEARED -DTHREADS=2
// check: fails -DKEEP_FIRST
// check: fails -DLAST_IN_RANGE
#ifndef THREADS
#define THREADS 3
#endif
#ifndef CHUNKS
#define CHUNKS 5
#endif
#define BATCH 2
#ifdef LAST_IN_RANGE
#define RANGED CHUNKS
#else
#define RANGED (CHUNKS - 1)
#endif

byte counter;
bool last_taken;
byte first[THREADS], end[THREADS]; // each thread's range; in the code the two halves of one word
byte given[CHUNKS], taken, gone, loop;
bool was_cancelled;

inline take(number) {
    atomic {
        assert(given[number] == 0);
        given[number] = 1;
        taken++;
        assert(!had_last);
        had_last = number == CHUNKS - 1
    }
}

inline refill() {
    atomic { begin = counter; counter = (counter + BATCH > RANGED -> RANGED : counter + BATCH) }
    if
    :: begin < RANGED ->
        stop = (begin + BATCH < RANGED -> begin + BATCH : RANGED);
        number = begin
    :: else ->
        victim = 0;
        do
        :: victim < THREADS && number == CHUNKS ->
            if
            :: victim != me ->
                atomic { begin = first[victim]; stop = end[victim] }
                do
                :: begin < stop && number == CHUNKS ->
                    half = stop - (stop - begin + 1) / 2;
                    atomic {
#ifndef THIEF_STORES
                        if
                        :: first[victim] == begin && end[victim] == stop ->
#endif
                            first[victim] = begin;
                            end[victim] = half;
                            number = half
#ifndef THIEF_STORES
                        :: else -> begin = first[victim]; stop = end[victim]
                        fi
#endif
                    }
                :: else -> break
                od
            :: else
            fi;
            victim++
        :: else -> break
        od
    fi;
    if
#ifndef LAST_IN_RANGE
    :: number == CHUNKS ->
        atomic {
            is_done = true;
            if
            :: !last_taken -> last_taken = true; number = RANGED; stop = 0
            :: else
            fi
        }
#endif
    :: else
    fi;
    if
    :: number < CHUNKS ->
#ifdef KEEP_FIRST
        atomic { first[me] = number; end[me] = stop }
#else
        if
        :: number + 1 < stop -> atomic { first[me] = number + 1; end[me] = stop }
        :: else
        fi
#endif
    :: else
    fi
}

proctype thread(byte me) {
    byte number, begin, stop, half, victim, seen = 0;
    bool is_done, had_last;
    do
    :: loop == seen && seen < 2 ->
        is_done = false;
        had_last = false;
        do
        :: loop == 0 -> was_cancelled = true; break
        :: is_done -> break
        :: !is_done ->
            number = CHUNKS;
            atomic { begin = first[me]; stop = end[me] }
            if
            :: begin < stop ->
#ifdef OWNER_STORES
                atomic { first[me] = begin + 1; end[me] = stop }
#else
                atomic {
#ifndef BELIEVE_LOOK
                    begin = first[me];
                    stop = end[me];
#endif
                    first[me]++
                }
#endif
            :: else
            fi;
            if
            :: begin < stop -> number = begin
            :: else -> refill()
            fi;
            if
            :: number < CHUNKS -> take(number)
            :: else -> break
            fi
        od;
        seen++;
        atomic {
            gone++;
            if
            :: gone == THREADS -> // the last thread to leave prepares the next loop
                assert(was_cancelled || taken == CHUNKS);
                for (number : 0 .. THREADS - 1) {
                    assert(was_cancelled || first[number] >= end[number]);
#ifndef NOT_CLEARED
                    if
                    :: was_cancelled -> first[number] = 0; end[number] = 0
                    :: else
                    fi
#endif
                }
                for (number : 0 .. CHUNKS - 1) { given[number] = 0 }
                counter = 0;
                last_taken = false;
                taken = 0;
                gone = 0;
                was_cancelled = false;
                loop++
            :: else
            fi
        }
    :: loop == 2 -> break
    od
}

init {
    byte i;
    atomic {
        for (i : 0 .. THREADS - 1) { run thread(i) }
    }
}
