/* SPDX-License-Identifier: BSD-3-Clause
 * Barriers: PES processes pass ROUNDS barriers.
 * Checks that no process leaves barrier r before all have entered it, that no process waits for ever, and that the
 * counting barrier leaves all its words 0. -DKIND chooses the barrier:
 *   0   central counter (src/primitive/barrier.c)
 *   1   dissemination; a signal is the barrier's number (src/primitive/barrier.c)
 *   2   dissemination; signals are counted (src/primitive/barrier.c)
 *   3   a mistake: dissemination in which a signal is the constant 1. With 4 or more processes it loses signals.
 *   4   src/mppa/barrier.c: the last process to arrive sets the count to 0 and then begins the next round. Rounds have
 *       one bit here.
 *   5   a mistake: as 4, but the next round begins before the count is set to 0
 */
// check: holds -DKIND=0
// check: holds -DKIND=1
// check: holds -DKIND=2
// check: holds -DKIND=1 -DPES=4
// check: fails -DKIND=3 -DPES=4
// check: holds -DKIND=4
// check: fails -DKIND=5
#ifndef PES
#define PES 3
#endif
#define ROUNDS 3
#define STEPS 2 /* steps of dissemination: distances 1 and 2 */

byte entered[PES];
byte arrived, released;
byte rounds;
byte word[PES * STEPS];
byte finished;

inline signal(to, step, epoch) {
#if KIND == 1
    word[to * STEPS + step] = epoch
#elif KIND == 2
    word[to * STEPS + step]++
#else
    word[to * STEPS + step] = 1
#endif
}

inline await(step, epoch) {
#if KIND == 1
    word[_pid * STEPS + step] >= epoch
#elif KIND == 2
    word[_pid * STEPS + step] > 0;
    word[_pid * STEPS + step]--
#else
    word[_pid * STEPS + step] == 1;
    word[_pid * STEPS + step] = 0
#endif
}

active [PES] proctype pe() {
    byte epoch, before, step, distance, other, released_before;
    do
    :: epoch < ROUNDS ->
        epoch++;
        entered[_pid] = epoch;
#if KIND == 0
        atomic { before = arrived; arrived++ }
        if
        :: before + 1 == epoch * PES -> released = epoch
        :: else -> released >= epoch
        fi;
#elif KIND >= 4
        released_before = rounds;
        atomic { before = arrived; arrived++ }
        if
        :: before + 1 == PES ->
#if KIND == 4
            arrived = 0;
            rounds = (rounds + 1) % 2
#else
            rounds = (rounds + 1) % 2;
            arrived = 0
#endif
        :: else -> rounds != released_before
        fi;
#else
        step = 0;
        distance = 1;
        do
        :: distance < PES ->
            signal((_pid + distance) % PES, step, epoch);
            await(step, epoch);
            step++;
            distance = distance * 2
        :: else -> break
        od;
#endif
        atomic {
            other = 0;
            do
            :: other < PES -> assert(entered[other] >= epoch); other++
            :: else -> break
            od;
            other = 0
        }
    :: else -> break
    od;
    atomic {
        finished++;
#if KIND == 2
        other = 0;
        do
        :: finished == PES && other < PES * STEPS -> assert(word[other] == 0); other++
        :: else -> break
        od
#endif
    }
}
