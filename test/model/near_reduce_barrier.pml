// SPDX-License-Identifier: BSD-3-Clause
// Reductions before a barrier (src/omp/near_reduce_barrier.c). The tree is a chain: thread 2 sends its values to thread 1, and
// thread 1 to thread 0, the master. Values are sets of threads, so an operation that is performed twice is seen. A thread possibly
// performs its operation alone, threads possibly wait for those of other threads before they come to the barrier, and possibly there
// are tasks, so the usual barrier is needed. Stores to other cores' memories (values, releases, and the data) arrive after any time;
// an exchange arrives after the earlier stores of its thread to the same memory.
// Checked: each operation is performed once; a thread that has left the barrier sees all operations and all data; either all
// threads enter the usual barrier or none; nobody waits for ever.
// Mistakes that must be found:
//     -DNO_WITHDRAW  a thread that has sent its values waits until it is released
//     -DWAIT_BELOW   a thread waits for the values of the thread below for any time
//     -DLOAD_STORE   a thread takes values by a load and a store
//     -DNOT_TOLD     a thread that withdraws its values does not tell the thread below
//     -DNO_BARRIER   a thread that is sent to the usual barrier leaves at once
//     -DLATE_RESET   a thread resets its word `release` after it has sent its values
//     -DNO_FENCE     a thread sends its values before its stores have arrived
// check: holds
// check: fails -DNO_WITHDRAW
// check: fails -DWAIT_BELOW
// check: fails -DLOAD_STORE
// check: fails -DNOT_TOLD
// check: fails -DNO_BARRIER
// check: fails -DLATE_RESET
// check: fails -DNO_FENCE
#define N 3
#define TIMES 2
#define SET(thread) (1 << (thread))
#define ALL (SET(N) - 1)
#define NONE 0
#define LEAVE 1
#define BARRIER 2

mtype { NOBODY, LOWER, HIGHER } // which threads wait for the operation of the next higher, or lower, one
mtype waiters = NOBODY;
byte variable[TIMES]; // the set of the operations before each barrier
byte arrived[TIMES];  // number of threads in the usual barrier
byte sending[N];      // values under way to the thread above
byte place[N];        // in the memory of the thread above
byte releasing[N];    // a release under way to the thread
byte release[N];      // in the thread's memory
bool storing[N];      // data under way
byte stored[N];       // number of barriers before which the thread's data has arrived

active proctype network() {
end:
    do
    :: atomic { sending[1] != 0 -> place[1] = sending[1]; sending[1] = 0 }
    :: atomic { sending[2] != 0 -> place[2] = sending[2]; sending[2] = 0 }
    :: atomic { releasing[1] != NONE -> release[1] = releasing[1]; releasing[1] = NONE }
    :: atomic { releasing[2] != NONE -> release[2] = releasing[2]; releasing[2] = NONE }
    :: atomic { storing[0] -> storing[0] = false; stored[0]++ }
    :: atomic { storing[1] -> storing[1] = false; stored[1]++ }
    :: atomic { storing[2] -> storing[2] = false; stored[2]++ }
    od
}

inline perform(set) {
    atomic { assert((variable[times] & (set)) == 0); variable[times] = variable[times] | (set) }
}

inline tell(thread, how) {
    atomic { assert(releasing[thread] == NONE); releasing[thread] = how }
}

inline take_below() {
#ifdef LOAD_STORE
    got = place[me + 1];
    place[me + 1] = 0
#else
    atomic { got = place[me + 1]; place[me + 1] = 0 }
#endif
}

// Takes the values of the thread below, but does not wait for ever. If they do not arrive, `usual` becomes true.
inline take_partials() {
    if
    :: place[me + 1] != 0
#ifndef WAIT_BELOW
    :: true
#endif
    fi;
    take_below();
    if
    :: got != 0 -> set = set | got
    :: else -> perform(set); usual = true; take_below()
        if
        :: got != 0 -> perform(got); tell(me + 1, BARRIER)
        :: else
        fi
    fi;
    got = 0
}

inline tell_below() {
    if
    :: me == 1 -> tell(2, BARRIER)
    :: else
    fi
}

// Sends the values and waits until the thread is released, or, if nobody takes them in time, performs the operations.
inline send_and_wait() {
    sending[me] = set;
#ifdef LATE_RESET
    release[me] = NONE;
#endif
    if
    :: release[me] != NONE
#ifndef NO_WITHDRAW
    :: sending[me] == 0; // the exchange arrives after the values
        atomic { got = place[me]; place[me] = 0 }
        if
        :: got != 0 -> perform(got); usual = true
#ifndef NOT_TOLD
            tell_below()
#endif
        :: else -> release[me] != NONE
        fi;
        got = 0
#endif
    fi;
    if
    :: !usual && release[me] == BARRIER -> tell_below()
#ifndef NO_BARRIER
        usual = true
#endif
    :: else
    fi
}

proctype thread(byte me) {
    byte times, set, got;
    bool usual;
    do
    :: times < TIMES ->
        usual = false;
        set = SET(me);
        storing[me] = true;
        if
        :: waiters == LOWER && me < N - 1 -> (variable[times] & SET(me + 1)) != 0
        :: waiters == HIGHER && me > 0 -> (variable[times] & SET(me - 1)) != 0
        :: else
        fi;
        if
        :: perform(set); usual = true // alone
        :: true ->
#ifndef LATE_RESET
            release[me] = NONE;
#endif
#ifndef NO_FENCE
            !storing[me];
#endif
            if
            :: me < N - 1 -> take_partials()
            :: else
            fi;
            if
            :: usual
            :: !usual && me > 0 -> send_and_wait()
            :: !usual && me == 0 -> perform(set)
                if
                :: tell(1, LEAVE); tell(2, LEAVE)
                :: tell(1, BARRIER); usual = true // there are tasks
                fi
            fi
        fi;
        if
        :: usual -> !storing[me]; arrived[times]++; arrived[times] == N
        :: else -> assert(arrived[times] == 0)
        fi;
        assert(variable[times] == ALL);
        assert(stored[0] > times && stored[1] > times && stored[2] > times);
        times++
    :: else -> break
    od
}

init {
    atomic {
        if
        :: waiters = NOBODY
        :: waiters = LOWER
        :: waiters = HIGHER
        fi;
        run thread(0);
        run thread(1);
        run thread(2)
    }
}
