// SPDX-License-Identifier: BSD-3-Clause
// The lock of the lock routines on machines where a thread polls fast only in its own memory (src/omp/sync/near_mutex.h): a
// word, and a queue of nodes of the threads that have not got it. Threads try the word, wait in the queue, release the lock,
// and sometimes leave this to another thread, which has no node of the lock. Stores to other cores' memories (the lock's word,
// `waits` and `state` of another thread's node, and the data) arrive after any time.
// Checked: one thread has the lock at a time, it sees what the holder before it has stored, and nobody waits for ever.
// Mistakes that must be found:
//     -DNO_LOOK      a thread in the queue does not look at the word
//     -DNO_GONE      a thread that leaves the queue does not tell the owner of the node before
//     -DNO_FENCE     the holder releases the lock before its stores have arrived
//     -DSTORE_ALSO   the holder stores 0 to the word although it has given the lock to the thread behind
//     -DUSE_EARLY    a thread uses a node again that is still in the queue
// check: holds
// check: fails -DNO_LOOK
// check: fails -DNO_GONE
// check: fails -DNO_FENCE
// check: fails -DSTORE_ALSO
// check: fails -DUSE_EARLY
#define N 3
#define TIMES 2
#define NONE 0
#define NODES 6
// States of a node other than the numbers of nodes, which are from 1 to NODES.
#define FREE 100
#define HELD 101
#define GONE 102

bit word;                   // 1: a thread has the lock
bool clearing;              // a store of 0 to `word` under way
byte last;                  // the last node of the queue
byte state[NODES + 1];
bool waits[NODES + 1];
bool granting[NODES + 1];   // a store of 0 to `waits` under way
bool leaving[NODES + 1];    // a store of GONE to `state` under way
byte storing;               // stores to the data under way
byte stored, wanted;        // number of stores that have arrived, and that were made
byte inside;                // threads that have the lock
bool left;                  // the holder leaves the release to another thread


active proctype network() {
end:
    do
    :: atomic { granting[1] -> granting[1] = false; waits[1] = false }
    :: atomic { granting[2] -> granting[2] = false; waits[2] = false }
    :: atomic { granting[3] -> granting[3] = false; waits[3] = false }
    :: atomic { granting[4] -> granting[4] = false; waits[4] = false }
    :: atomic { granting[5] -> granting[5] = false; waits[5] = false }
    :: atomic { granting[6] -> granting[6] = false; waits[6] = false }
    :: atomic { leaving[1] -> leaving[1] = false; state[1] = GONE }
    :: atomic { leaving[2] -> leaving[2] = false; state[2] = GONE }
    :: atomic { leaving[3] -> leaving[3] = false; state[3] = GONE }
    :: atomic { leaving[4] -> leaving[4] = false; state[4] = GONE }
    :: atomic { leaving[5] -> leaving[5] = false; state[5] = GONE }
    :: atomic { leaving[6] -> leaving[6] = false; state[6] = GONE }
    :: atomic { clearing -> clearing = false; word = 0 }
    :: atomic { storing > 0 -> storing--; stored++ }
    od
}

// Releases the lock for a thread that has left this to another one.
active proctype other() {
end:
    do
    :: atomic { left && storing == 0 -> left = false; clearing = true }
    od
}

proctype thread(byte me) {
    byte times, node, first = 1 + 2 * me, before, old, mine; // mine: the node in the list `held`, the last one first
    byte second;                                            // the node behind it in this list
    bool has;
    do
    :: times < TIMES ->
        has = false;
        atomic { if :: word == 0 -> word = 1; has = true :: else fi }
        if
        :: !has ->
            // A node that is in no queue.
            atomic {
                if
                :: mine == first || second == first -> node = first + 1
                :: mine == first + 1 || second == first + 1 -> node = first
#ifdef USE_EARLY
                :: mine == NONE -> node = first
#else
                :: mine == NONE && state[first] != FREE -> node = first
                :: mine == NONE && state[first] == FREE -> node = first + 1
#endif
                fi
            }
            if
            :: mine != NONE && second != NONE -> break // no node is left: the model ends here
#ifndef USE_EARLY
            :: (mine == NONE || second == NONE) && state[node] == FREE -> break
#endif
            :: else
            fi;
            state[node] = HELD;
            waits[node] = true;
            atomic { before = last; last = node }
            second = mine;
            mine = node;
            old = FREE;
            if
            :: before != NONE -> atomic { old = state[before]; state[before] = node }
            :: else
            fi;
            if
            :: old == HELD ->
                if
                :: !waits[node]
#ifndef NO_LOOK
                :: atomic { word == 0 -> word = 1 }
#ifndef NO_GONE
                    leaving[before] = true
#endif
#endif
                fi
            :: else -> atomic { word == 0 -> word = 1 }
            fi
        :: else
        fi;
        inside++;
        assert(inside == 1);
        assert(stored == wanted);
        atomic { storing++; wanted++ }
        inside--;
        if
        :: atomic { !left -> left = true } // another thread releases the lock
        :: true ->
#ifndef NO_FENCE
            storing == 0 && !leaving[1] && !leaving[2] && !leaving[3] && !leaving[4] && !leaving[5] && !leaving[6];
#endif
            if
            :: mine == NONE -> clearing = true
            :: else ->
                atomic { old = state[mine]; state[mine] = FREE }
                if
                :: old == HELD -> clearing = true
                :: old == GONE -> clearing = true; state[mine] = GONE
                :: else ->
                    granting[old] = true;
                    state[mine] = GONE; // the node is in no queue
#ifdef STORE_ALSO
                    clearing = true
#endif
                fi;
                mine = second;
                second = NONE
            fi
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
