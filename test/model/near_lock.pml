// SPDX-License-Identifier: BSD-3-Clause
// The lock of critical sections (src/omp/sync/near_lock.h): a queue of nodes, each in the memory of its thread. A thread
// exchanges the lock's word, and then the state of the node before its own node. The holder releases the lock by an
// exchange of its node's state. Each thread has two nodes and takes the lock several times. Stores to other cores'
// memories (the word `waits` of another thread, and the data) arrive after any time.
// Checked: one thread has the lock at a time, it sees what the holder before it has stored, and nobody waits for ever.
// Mistakes that must be found:
//     -DNO_FENCE     the holder releases the lock before its stores have arrived
//     -DLOAD_STORE   the holder releases the lock by a load and a store of its node's state
//     -DWAITS_LATE   a thread sets `waits` to 1 after it has exchanged the state of the node before
//     -DUSE_EARLY    a thread uses a node again that is still in the queue
// check: holds
// check: fails -DNO_FENCE
// check: fails -DLOAD_STORE
// check: fails -DWAITS_LATE
// check: fails -DUSE_EARLY
#define N 3
#define TIMES 2
#define NONE 0
// States of a node other than the numbers of nodes, which are from 1 to 2 * N.
#define FREE 100
#define HELD 101

byte word;               // the last node
byte state[2 * N + 1] = FREE;
bool used[2 * N + 1];    // the node was in the queue, and possibly is
bool waits[2 * N + 1];
bool granting[2 * N + 1]; // a store of 0 to `waits` under way
bool storing;            // the holder's store under way
byte stored, wanted;     // number of stores that have arrived, and that were made
byte inside;             // threads that have the lock

active proctype network() {
end:
    do
    :: atomic { granting[1] -> granting[1] = false; waits[1] = false }
    :: atomic { granting[2] -> granting[2] = false; waits[2] = false }
    :: atomic { granting[3] -> granting[3] = false; waits[3] = false }
    :: atomic { granting[4] -> granting[4] = false; waits[4] = false }
    :: atomic { granting[5] -> granting[5] = false; waits[5] = false }
    :: atomic { granting[6] -> granting[6] = false; waits[6] = false }
    :: atomic { storing -> storing = false; stored++ }
    od
}

proctype thread(byte me) {
    byte times, node = 1 + 2 * me, before, old;
    do
    :: times < TIMES ->
        // Takes the other node if this one is possibly in the queue.
#ifndef USE_EARLY
        if
        :: used[node] && state[node] == FREE -> node = (node == 1 + 2 * me -> 2 + 2 * me : 1 + 2 * me)
        :: else
        fi;
        assert(!used[node] || state[node] != FREE);
#endif
        state[node] = HELD;
        used[node] = true;
#ifndef WAITS_LATE
        waits[node] = true;
#endif
        atomic { before = word; word = node }
        if
        :: before != NONE ->
            atomic { old = state[before]; state[before] = node }
#ifdef WAITS_LATE
            waits[node] = true;
#endif
            if
            :: old == HELD -> !waits[node]
            :: else
            fi
        :: else
        fi;
        inside++;
        assert(inside == 1);
        assert(stored == wanted);
        atomic { storing = true; wanted++ }
#ifndef NO_FENCE
        !storing;
#endif
        inside--;
#ifdef LOAD_STORE
        old = state[node];
        state[node] = FREE;
#else
        atomic { old = state[node]; state[node] = FREE }
#endif
        if
        :: old != HELD -> granting[old] = true; used[node] = false
        :: else
        fi;
        old = 0;
        before = 0;
        times++
    :: else -> break
    od
}

init {
    atomic { run thread(0); run thread(1); run thread(2) }
}
