// SPDX-License-Identifier: BSD-3-Clause
// Single (src/omp/work_sharing/single.c). Each thread numbers the singles that it reaches for itself. The thread that
// raises the team's word `taken` to a number runs that single. The singles of a run are of two kinds, in any order:
// some have no barrier after them, and some copy their owner's data to all threads and have a barrier after them. A
// thread may be several singles behind another.
// Checked: each single has one owner; the copied data is that of this single.
// Ordering in the code. Raising `taken` is a release and an acquire. Storing `copied` is a release and the load that
// sees it is an acquire, so this pair makes the data visible.
// Mistakes that must be found:
//     -DLOOK_THEN_STORE   `taken` is raised by a load and a store
//     -DPOST_FIRST        `copied` is stored before the data
//     -DNO_BARRIER        no barrier after copied data
//     -DFLAG              `copied` is only tested for not being 0, as if it were a flag
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
    :: looks_first && taken >= number -> is_owner = false // the code does so in a large team
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
