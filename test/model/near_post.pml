// SPDX-License-Identifier: BSD-3-Clause
// The additions with which the threads of a small team end their parts of a region (src/omp/near_post.c): each thread posts its
// value to a counter of thread 0, the master, which also counts the values. The master takes all values or none. Values are sets
// of threads, so an addition that is made twice is seen. In each region a thread possibly makes no addition, or one whose
// value it cannot post, and threads possibly wait for the additions of other threads.
// Stores to other cores' memories (values that are posted, reports, and the data) arrive after any time, those of one thread to
// one memory in order.
// Checked: each addition is made once; when the region has ended, all additions were made, all data has arrived, and the counter
// is 0; nobody waits for ever.
// Mistakes that must be found:
//     -DNO_WITHDRAW  a thread that has posted a value waits until the region ends
//     -DWAIT_OTHERS  the master adds its own value only when it has those of the others
//     -DNO_CLAIM     the master takes the values without a change of `collected`
//     -DNO_NUMBER    a thread withdraws its value if any thread has withdrawn, whatever the number of regions in `collected` is
//     -DNO_SUBTRACT  a thread that withdraws its value leaves it in the counter
//     -DNO_FENCE     a thread posts its value before its stores have arrived
// check: holds
// check: fails -DNO_WITHDRAW
// check: fails -DWAIT_OTHERS
// check: fails -DNO_CLAIM
// check: fails -DNO_NUMBER
// check: fails -DNO_SUBTRACT
// check: fails -DNO_FENCE
// check: large -DLARGE
#define N 3
#ifdef LARGE
#define TIMES 3
#else
#define TIMES 2
#endif
#define SET(thread) (1 << (thread))
#define WITHDRAWN 1
#define TAKEN 2
#define REGION 4
#define IS_WITHDRAWN(number) (((number) & WITHDRAWN) != 0)

mtype { NOBODY, LOWER, HIGHER } // which threads wait for the addition of the next higher, or lower, one
mtype waiters = NOBODY;
byte begun;          // number of regions that have begun
byte variable;       // the set of the additions that were made in this region
byte expected;       // the set of the threads that make an addition in this region
bool decided[N];     // the thread has decided whether it makes an addition
bool posting[N];     // a value under way to the counter
byte value[N];       // this value
byte sum, count;     // the counter
byte collected;      // in the master's memory
bool posts[N];       // the thread posts its values
byte regions[N];     // number of regions in which it has posted them, times REGION
bool stopping[N];    // stores to all `posts` under way
byte reports;        // reports of ends under way to the master
byte ends;           // the master's counter of ends
bool storing[N];     // data under way
bool stored[N];

active proctype network() {
end:
    do
    :: atomic { posting[1] -> posting[1] = false; sum = sum + value[1]; count++ }
    :: atomic { posting[2] -> posting[2] = false; sum = sum + value[2]; count++ }
    :: atomic { stopping[1] -> stopping[1] = false; posts[0] = false; posts[1] = false; posts[2] = false }
    :: atomic { stopping[2] -> stopping[2] = false; posts[0] = false; posts[1] = false; posts[2] = false }
    :: atomic { reports > 0 -> reports--; ends++ }
    :: atomic { storing[0] -> storing[0] = false; stored[0] = true }
    :: atomic { storing[1] -> storing[1] = false; stored[1] = true }
    :: atomic { storing[2] -> storing[2] = false; stored[2] = true }
    od
}

inline add(set) {
    atomic { assert((variable & (set)) == 0); variable = variable | (set) }
}

// The thread's part of the region, except its addition. `adds` says whether it makes one.
inline part() {
    storing[me] = true;
    atomic {
        if
        :: adds = true; expected = expected | SET(me)
        :: adds = false
        fi;
        decided[me] = true
    }
    if
    :: waiters == LOWER && me < N - 1 -> decided[me + 1]; (expected & SET(me + 1)) == 0 || (variable & SET(me + 1)) != 0
    :: waiters == HIGHER && me > 0 -> decided[me - 1]; (expected & SET(me - 1)) == 0 || (variable & SET(me - 1)) != 0
    :: else
    fi
}

// A thread that has posted a value has got no other region for a while.
inline withdraw() {
    before = regions[me] - REGION;
    atomic {
        found = collected;
        if
        :: found == before -> found = found | WITHDRAWN; collected = found
        :: else
        fi
    }
    if
#ifdef NO_NUMBER
    :: IS_WITHDRAWN(found) ->
#else
    :: (found | TAKEN) == (before | WITHDRAWN | TAKEN) ->
#endif
        stopping[me] = true;
        add(value[me]);
        !posting[me]; // the subtraction arrives after the value
#ifndef NO_SUBTRACT
        atomic { sum = sum - value[me]; count-- }
#endif
        !stopping[me];
        reports++
    :: else
    fi
}

proctype worker(byte me) {
    byte times, found, before;
    bool adds;
    do
    :: times < TIMES ->
        begun > times;
        part();
#ifndef NO_FENCE
        !storing[me];
#endif
        if
        :: !adds -> reports++
        :: adds && !posts[me] -> add(SET(me)); reports++
        :: adds && posts[me] ->
            if
            :: value[me] = SET(me)
            :: add(SET(me)); value[me] = 0 // the value does not fit in the counter
            fi;
            posting[me] = true;
            regions[me] = regions[me] + REGION;
            if
            :: begun > times + 1
#ifndef NO_WITHDRAW
            :: withdraw()
#endif
            fi
        fi;
        times++
    :: else -> break
    od
}

// The master's end of a region in which it has not added its value, `own`.
inline collect() {
    do
    :: atomic { count == N - 1 -> taken = sum }
#ifdef NO_CLAIM
        found = collected;
#else
        atomic { found = collected; collected = collected | TAKEN }
#endif
        if
        :: IS_WITHDRAWN(found) -> add(own)
        :: else ->
            collected = found + REGION;
            atomic { sum = sum - taken; count = count - (N - 1) }
            add(own | taken);
            ends = N - 1
        fi;
        break
#ifndef WAIT_OTHERS
    :: own != 0 && count != N - 1 -> add(own); own = 0 // they have not arrived for a while
#endif
    :: own == 0 && (IS_WITHDRAWN(collected) || ends == N - 1) -> break
    od
}

active proctype master() {
    byte me = 0, times, own, taken, found, i;
    bool adds;
    atomic {
        if
        :: posts[0] = true; posts[1] = true; posts[2] = true
        :: true
        fi;
        run worker(1); run worker(2)
    }
    do
    :: times < TIMES ->
        atomic {
            variable = 0; expected = 0; ends = 0;
            for (i : 0 .. N - 1) { decided[i] = false; stored[i] = false }
            if
            :: waiters = NOBODY
            :: waiters = LOWER
            :: waiters = HIGHER
            fi;
            begun++
        }
        part();
        !storing[me];
        if
        :: !adds
        :: adds && !posts[me] ->
            add(SET(me));
            if
            :: true
            :: ends == N - 1; // values are posted from the next region on
                collected = 0;
                for (i : 0 .. N - 1) { regions[i] = 0; posts[i] = true }
            fi
        :: adds && posts[me] -> own = SET(me); collect(); own = 0
        fi;
        ends == N - 1;
        assert(variable == expected);
        assert(stored[0] && stored[1] && stored[2]);
        assert(sum == 0 && count == 0);
        taken = 0;
        found = 0;
        times++
    :: else -> begun++; break
    od
}
