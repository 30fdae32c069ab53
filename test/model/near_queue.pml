// SPDX-License-Identifier: BSD-3-Clause
// Tasks that a master puts into a queue in hardware (src/omp/task/near_queue.h). The threads run a region of two phases:
// the master makes tasks and all threads wait at a barrier; then the master makes tasks and waits for them inside its
// task, while the other threads wait until the master says that it has finished, and run no task. A thread possibly
// requests its next item before it runs a task. Items, requests, answers, subtractions from the counter and stores to
// other cores' memories arrive after any time.
// Checked: each task runs once; a master that has waited for tasks sees their stores; nobody waits for ever; the queue
// never has more items and requests than places.
// Mistakes that must be found:
//     -DNO_CLAIM   no thread takes an item that has arrived for another thread
//     -DNO_SWAP    threads take an item by a load and a store
//     -DASK_EARLY  a thread makes its next request before it has copied its item
//     -DNO_RETURN  the master waits for tasks without returning the places that it has not used
//     -DNO_FENCE   a thread subtracts from the counter before its stores have arrived
//     -DNO_LIMIT   the master does not count its tasks before it puts them into the queue
// check: holds
// check: fails -DNO_CLAIM
// check: fails -DNO_SWAP
// check: fails -DASK_EARLY
// check: fails -DNO_RETURN
// check: fails -DNO_FENCE
// check: fails -DNO_LIMIT
#define N 3     // threads; 0 is the master
#define TASKS 3 // in each phase
#define LIMIT 2 // of unfinished tasks

mtype { IDLE, ASKED, FULL, CLAIMED }
mtype state[N] = IDLE;
byte item[N];             // number of the task in each thread's item
byte answer[N];           // number + 1 of the task under way to each thread, 0: none
chan items = [7] of { byte };
chan requests = [N] of { byte };
byte to_queue[2];         // items under way, in order: number + 1, 0: none
bool asking[N];           // requests under way
byte counter;             // unfinished tasks and unused places
byte subtractions;        // under way to the counter
bool storing[2 * TASKS];  // stores of tasks under way
bool stored[2 * TASKS];   // stores that have arrived
byte runs[2 * TASKS];
byte arrived;
bool released, finished;

active proctype network() {
    byte i, task;
end:
    do
    :: atomic {
        to_queue[0] != 0 ->
        items!to_queue[0] - 1;
        to_queue[0] = to_queue[1];
        to_queue[1] = 0;
        assert(len(items) <= LIMIT)
      }
    :: atomic { asking[0] -> asking[0] = false; requests!0 }
    :: atomic { asking[1] -> asking[1] = false; requests!1 }
    :: atomic { asking[2] -> asking[2] = false; requests!2 }
    :: atomic { len(items) > 0 && len(requests) > 0 -> items?task; requests?i; answer[i] = task + 1; i = 0; task = 0 }
    :: atomic { answer[0] != 0 -> item[0] = answer[0] - 1; state[0] = FULL; answer[0] = 0 }
    :: atomic { answer[1] != 0 -> item[1] = answer[1] - 1; state[1] = FULL; answer[1] = 0 }
    :: atomic { answer[2] != 0 -> item[2] = answer[2] - 1; state[2] = FULL; answer[2] = 0 }
    :: atomic { subtractions > 0 -> subtractions--; counter-- }
    :: atomic { storing[0] -> storing[0] = false; stored[0] = true }
    :: atomic { storing[1] -> storing[1] = false; stored[1] = true }
    :: atomic { storing[2] -> storing[2] = false; stored[2] = true }
    :: atomic { storing[3] -> storing[3] = false; stored[3] = true }
    :: atomic { storing[4] -> storing[4] = false; stored[4] = true }
    :: atomic { storing[5] -> storing[5] = false; stored[5] = true }
    od
}

inline run_task(task) {
    atomic { runs[task]++; assert(runs[task] == 1); storing[task] = true }
#ifndef NO_FENCE
    !storing[task];
#endif
    subtractions++
}

// Takes the item of thread `whose` for thread `me`.
inline take(whose, left) {
#ifdef NO_SWAP
    state[whose] == FULL;
    state[whose] = left;
#else
    atomic { state[whose] == FULL -> state[whose] = left }
#endif
}

inline ask() {
    atomic { state[me] == IDLE -> state[me] = ASKED; asking[me] = true }
}

proctype thread(byte me) {
    byte task;
    arrived++;
    do
    :: released -> break
    :: take(me, IDLE);
#ifdef ASK_EARLY
       if
       :: ask()
       :: true
       fi;
#endif
       task = item[me];
       if
       :: ask() // the next item arrives while the task runs
       :: true
       fi;
       run_task(task);
       task = 0
#ifndef NO_CLAIM
    :: take(N - me, CLAIMED); task = item[N - me]; state[N - me] = IDLE; run_task(task); task = 0
    :: take(0, CLAIMED); task = item[0]; state[0] = IDLE; run_task(task); task = 0
#endif
    :: ask()
    od;
    finished
}

// Puts tasks first to first + TASKS - 1 into the queue, or runs them.
inline make(first) {
    made = 0;
    do
    :: made < TASKS ->
        if
        :: places == 0 -> atomic { places = LIMIT - counter; counter = LIMIT }
        :: else
        fi;
#ifdef NO_LIMIT
        places = 2;
#endif
        if
        :: places > 0 -> places--;
            atomic {
                if
                :: to_queue[0] == 0 -> to_queue[0] = first + made + 1
                :: to_queue[0] != 0 && to_queue[1] == 0 -> to_queue[1] = first + made + 1
                fi
            }
        :: else -> atomic {
            runs[first + made]++; assert(runs[first + made] == 1); stored[first + made] = true }
        fi;
        made++
    :: else -> break
    od;
#ifndef NO_RETURN
    atomic { counter = counter - places; places = 0 }
#endif
}

active proctype master() {
    byte me = 0, task, made, places, other;
    atomic { run thread(1); run thread(2) }
    make(0);
    do
    :: atomic { arrived == N - 1 && counter == 0 -> break }
    :: take(0, IDLE); task = item[0]; run_task(task); task = 0
    :: ask()
    od;
    assert(stored[0] && stored[1] && stored[2]);
    released = true;
    make(TASKS);
    do
    :: atomic { counter == 0 -> break }
    :: take(0, IDLE); task = item[0]; run_task(task); task = 0
    :: ask()
#ifndef NO_CLAIM
    :: take(1, CLAIMED); task = item[1]; state[1] = IDLE; run_task(task); task = 0
    :: take(2, CLAIMED); task = item[2]; state[2] = IDLE; run_task(task); task = 0
#endif
    od;
    assert(stored[3] && stored[4] && stored[5]);
    finished = true
}
