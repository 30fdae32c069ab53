// SPDX-License-Identifier: BSD-3-Clause
// Single (src/omp/single.c): threads number the singles that they meet for themselves; whoever raises the team's word to a number has that single.
// Singles without a barrier behind them come in any order with such that copy their owner's data to all, behind which there is one; a
// thread may be singles behind. Checked: each single has one owner; copied data are that single's.
// In the code: raising is a release and an acquire, `copied` a release, and seeing it an acquire, that carries the data.
// Mistakes that must be found: -DLOOK_THEN_STORE, -DPOST_FIRST `copied` before the data, -DNO_BARRIER behind copied data, -DFLAG
// `copied` says only that there are some.
// check: holds
// check: fails -DLOOK_THEN_STORE
// check: fails -DPOST_FIRST
// check: fails -DNO_BARRIER
// check: fails -DFLAG
#define THREADS 3
#define SINGLES 4

byte taken, copied, data;
byte arrived;
bool copies[SINGLES + 1];
byte owners[SINGLES + 1];

inline take() {
#ifdef LOOK_THEN_STORE
    is_owner = taken == number - 1;
    if
    :: is_owner -> taken = number
    :: else
    fi
#else
    if
    :: looks_first && taken >= number -> is_owner = false // in a large team
    :: else ->
        atomic {
            is_owner = taken == number - 1;
            taken = (is_owner -> number : taken)
        }
    fi
#endif
}

inline barrier() {
    arrived++;
    barriers++;
    arrived >= barriers * THREADS
}

proctype thread(bool looks_first) {
    byte number = 1, barriers = 0;
    bool is_owner;
    do
    :: number <= SINGLES ->
        take();
        if
        :: is_owner -> atomic { owners[number]++; assert(owners[number] == 1) }
        :: else
        fi;
        if
        :: copies[number] ->
            if
            :: is_owner ->
#ifdef POST_FIRST
                copied = number;
                data = number
#else
                data = number;
                copied = number
#endif
            :: else ->
#ifdef FLAG
                copied != 0;
#else
                copied >= number;
#endif
                assert(data == number)
            fi;
#ifndef NO_BARRIER
            barrier()
#endif
        :: else
        fi;
        atomic { number++; is_owner = false }
    :: else -> break
    od
}

init {
    byte i;
    for (i : 1 .. SINGLES) {
        if
        :: copies[i] = true
        :: copies[i] = false
        fi
    }
    atomic {
        run thread(false);
        run thread(false);
        run thread(true)
    }
    _nr_pr == 1;
    for (i : 1 .. SINGLES) { assert(owners[i] == 1) }
}
