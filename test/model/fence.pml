// SPDX-License-Identifier: BSD-3-Clause
// The instruction `fence` of cores with memories of their own (src/machine/sarc, src/machine/riscv): it waits until all
// stores of the core have arrived. OpenMP puts data, the words that announce the data, and locks into memories of different
// cores, and stores to different cores have no order. Core 0 works, core 1 has the shared data, core 2 takes over: core 0
// stores data to core 1 and to itself, executes a fence, and announces the data by a word of core 2. Core 2 loads the
// data, stores a result to core 1, executes a fence, and announces the result by a word of core 0. No core executes a fence
// before its loads: a load ends before the next instruction begins, and memories have no copies.
// Checked: who sees the announcement sees the data; no core waits for ever.
// Mistakes that must be found:
//     -DNO_FENCE        no fence between the data and the announcement
//     -DFENCE_ONE       the fence waits only for stores to the core to which the announcement goes
//     -DFENCE_LATE      the fence is executed after the announcement
//     -DANSWER_EARLY    core 2 announces its result without a fence
// check: holds
// check: fails -DNO_FENCE
// check: fails -DFENCE_ONE
// check: fails -DFENCE_LATE
// check: fails -DANSWER_EARLY
#define PES 3
#define PLACES 3
#define ROUNDS 3
#include "network.pml"

#define OWN 0    /* of core 0: data that stay in its memory */
#define BACK 1   /* of core 0: number of the last result */
#define DATA 0   /* of core 1 */
#define RESULT 1 /* of core 1 */
#define FLAG 0   /* of core 2: number of the last announcement */

#define ARRIVED(from) (empty(LINK(from, 0)) && empty(LINK(from, 1)) && empty(LINK(from, 2)))

inline fence(from, next) {
#ifdef FENCE_ONE
    empty(LINK(from, next))
#else
    ARRIVED(from)
#endif
}

proctype works() {
    byte n = 0;
    do
    :: n < ROUNDS ->
        n++;
        store(0, 1, DATA, n);
        store(0, 0, OWN, n);
#if !defined(NO_FENCE) && !defined(FENCE_LATE)
        fence(0, 2);
#endif
        store(0, 2, FLAG, n);
#ifdef FENCE_LATE
        fence(0, 2);
#endif
        WORD(0, BACK) == n;
        atomic { LOAD_BEHIND(0, 1) -> assert(WORD(1, RESULT) == n) }
    :: else -> break
    od
}

proctype takes_over() {
    byte n = 0;
    do
    :: n < ROUNDS ->
        n++;
        WORD(2, FLAG) == n;
        atomic { LOAD_BEHIND(2, 1) -> assert(WORD(1, DATA) == n) }
        atomic { LOAD_BEHIND(2, 0) -> assert(WORD(0, OWN) == n) }
        store(2, 1, RESULT, n);
#ifndef ANSWER_EARLY
        fence(2, 0);
#endif
        store(2, 0, BACK, n)
    :: else -> break
    od
}

init {
    atomic {
        run deliver(0, 1);
        run deliver(0, 2);
        run deliver(2, 0);
        run deliver(2, 1);
        run works();
        run takes_over()
    }
}
