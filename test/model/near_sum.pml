// SPDX-License-Identifier: BSD-3-Clause
// The additions with which threads end their parts of a region (src/omp/near_sum.c). The tree is a chain: thread 2 sends its
// addition to thread 1, and thread 1 to thread 0, the master. Values are sets of threads, so an addition that is made twice is
// seen. In each region a thread possibly makes no addition, and threads possibly wait for the additions of other threads.
// Stores to other cores' memories (additions that are sent, reports, and the data) arrive after any time; an exchange arrives
// after the earlier stores of its thread to the same memory.
// Checked: each addition is made once; when the region has ended, all additions were made and all data has arrived; nobody
// waits for ever.
// Mistakes that must be found:
//     -DNO_WITHDRAW  a thread that has sent an addition waits until the region ends
//     -DWAIT_BELOW   a thread waits for the addition of the thread below for any time
//     -DLOAD_STORE   a thread takes an addition by a load and a store
//     -DNO_REPORT    a thread that withdraws its addition reports only its own end
//     -DNO_FENCE     a thread sends its addition before its stores have arrived
// check: holds
// check: fails -DNO_WITHDRAW
// check: fails -DWAIT_BELOW
// check: fails -DLOAD_STORE
// check: fails -DNO_REPORT
// check: fails -DNO_FENCE
#define N 3
#define TIMES 2
#define SET(thread) (1 << (thread))

mtype { NOBODY, LOWER, HIGHER } // which threads wait for the addition of the next higher, or lower, one
mtype waiters = NOBODY;
byte begun;          // number of regions that have begun
byte variable;       // the set of the additions that were made in this region
byte expected;       // the set of the threads that make an addition in this region
bool decided[N];     // the thread has decided whether it makes an addition
byte sending[N];     // an addition under way to the thread above
byte place[N];       // in the memory of the thread above
byte reports;        // reports of ends under way to the master
byte ends;           // the master's counter of ends
bool storing[N];     // data under way
bool stored[N];

active proctype network() {
end:
    do
    :: atomic { sending[1] != 0 -> place[1] = sending[1]; sending[1] = 0 }
    :: atomic { sending[2] != 0 -> place[2] = sending[2]; sending[2] = 0 }
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

// Takes the addition of the thread below. `got` is 0 if there is none.
inline take_below() {
#ifdef LOAD_STORE
    got = place[me + 1];
    place[me + 1] = 0
#else
    atomic { got = place[me + 1]; place[me + 1] = 0 }
#endif
}

// Waits for the addition of the thread below, but not for ever. Makes all additions if it does not arrive: then `set` is 0.
inline collect_below() {
    if
    :: place[me + 1] != 0
#ifndef WAIT_BELOW
    :: true
#endif
    fi;
    take_below();
    if
    :: got != 0 -> set = set | got
    :: else -> add(set); set = 0; take_below()
        if
        :: got != 0 -> add(got); atomic { reports = reports + (got & SET(2) -> 1 : 0) + (got & SET(1) -> 1 : 0) }
        :: else
        fi
    fi;
    got = 0
}

proctype worker(byte me) {
    byte times, set, got;
    bool adds;
    do
    :: times < TIMES ->
        begun > times;
        part();
#ifndef NO_FENCE
        !storing[me];
#endif
        if
        :: !adds -> set = 0
        :: else -> set = SET(me)
            if
            :: me == 1 -> collect_below()
            :: else
            fi
        fi;
        if
        :: set == 0 -> reports++
        :: else ->
            sending[me] = set;
            if
            :: begun > times + 1
#ifndef NO_WITHDRAW
            :: sending[me] == 0; // the exchange arrives after the addition
                atomic { got = place[me]; place[me] = 0 }
                if
                :: got != 0 -> add(got);
#ifdef NO_REPORT
                    reports++
#else
                    atomic { reports = reports + (got & SET(2) -> 1 : 0) + (got & SET(1) -> 1 : 0) }
#endif
                :: else
                fi;
                got = 0
#endif
            fi
        fi;
        set = 0;
        times++
    :: else -> break
    od
}

active proctype master() {
    byte me = 0, times, set, got, i;
    bool adds;
    atomic { run worker(1); run worker(2) }
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
        :: !adds -> set = 0
        :: else -> set = SET(me); collect_below()
        fi;
        if
        :: set != 0 -> add(set);
            atomic { ends = ends + (set & SET(2) -> 1 : 0) + (set & SET(1) -> 1 : 0) }
        :: else
        fi;
        // If thread 1 sent its own addition without that of thread 2, thread 2 reports its end by itself.
        ends == N - 1;
        assert(variable == expected);
        assert(stored[0] && stored[1] && stored[2]);
        set = 0;
        times++
    :: else -> begun++; break
    od
}
