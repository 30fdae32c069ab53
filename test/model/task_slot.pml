/* SPDX-License-Identifier: BSD-3-Clause
 * The slot by which one thread gives tasks to another in the small OpenMP runtime (src/omp/small/task.c). The giver, core
 * 0, makes TASKS tasks, one after the other. It waits until the slot is free, or takes the task in the slot back and runs it
 * itself. The taker, core 1, runs the tasks that it finds. Each task is its number, in the slot's data. In the end the giver
 * waits until all tasks have ended.
 * Checks that each task runs once, with its own data, and that no thread waits for ever.
 *
 * Mistakes:
 *   -DTAKEN_FIRST  the giver marks the slot as having a task before the task's data are there
 *   -DFREE_FIRST   the taker frees the slot before it has copied the data
 *   -DNO_TESTSET   the taker loads and stores `taken` in two steps
 *   -DOVERTAKES    a test-and-set of the giver can overtake its store to the same word
 *   -DASKED_LATE   the taker clears `offered` after it has found the slot empty, and so the next task's offer, while the
 *                  giver does not take tasks back
 */
// check: holds
// check: fails -DTAKEN_FIRST
// check: fails -DFREE_FIRST
// check: fails -DNO_TESTSET
// check: fails -DOVERTAKES
// check: fails -DASKED_LATE
#define PES 2
#define TASKS 3
#define PLACES 8
/* places at the taker */
#define TAKEN 0
#define OFFERED 1
#define DATA 2
/* places at the giver */
#define USED 3
#define ENDED 4 /* and the TASKS - 1 places behind it */
#include "network.pml"

#ifdef OVERTAKES
#define MAY_TEST LOAD_PAST(0, 1)
#else
#define MAY_TEST LOAD_BEHIND(0, 1)
#endif

byte runs[TASKS];

inline run_task(task) {
    atomic { runs[task]++; assert(runs[task] == 1) }
}

proctype giver() {
    byte task;
    bit mine, gone;
    do
    :: task < TASKS ->
        do
        :: WORD(0, USED) == 0 -> break
#ifndef ASKED_LATE
        :: WORD(0, USED) == 1 && MAY_TEST -> /* takes the task back, if nobody has it */
            atomic { mine = (WORD(1, TAKEN) == 0); if :: mine -> WORD(1, TAKEN) = 1 :: else fi };
            if
            :: mine ->
                run_task(task - 1);
                WORD(0, ENDED + task - 1) = 1;
                WORD(0, USED) = 0
            :: else
            fi
#endif
        od;
        WORD(0, USED) = 1;
#ifdef TAKEN_FIRST
        store(0, 1, TAKEN, 0);
        store(0, 1, DATA, task);
#else
        store(0, 1, DATA, task);
        store(0, 1, TAKEN, 0);
#endif
        store(0, 1, OFFERED, 1);
        task++
    :: else -> break
    od;
    WORD(0, ENDED) && WORD(0, ENDED + 1) && WORD(0, ENDED + 2)
}

proctype taker() {
    byte data;
    bit mine;
end: do
    :: WORD(1, OFFERED) ->
#ifndef ASKED_LATE
        WORD(1, OFFERED) = 0;
#endif
#ifdef NO_TESTSET
        mine = (WORD(1, TAKEN) == 0);
        WORD(1, TAKEN) = 1;
#else
        atomic { mine = (WORD(1, TAKEN) == 0); if :: mine -> WORD(1, TAKEN) = 1 :: else fi };
#endif
        if
        :: mine ->
#ifdef FREE_FIRST
            store(1, 0, USED, 0);
            data = WORD(1, DATA);
#else
            data = WORD(1, DATA);
            store(1, 0, USED, 0);
#endif
            run_task(data);
            store(1, 0, ENDED + data, 1)
        :: else
        fi;
#ifdef ASKED_LATE
        WORD(1, OFFERED) = 0
#endif
    od
}

init {
    atomic { run giver(); run taker(); run deliver(0, 1); run deliver(1, 0) }
}
