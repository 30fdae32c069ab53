/* SPDX-License-Identifier: BSD-3-Clause
 * The barrier of the small OpenMP runtime (src/omp/small/meet.c), ROUNDS times among PES cores. Before each barrier each
 * core stores data to the next core. Then it stores an announcement to every core, waits for the announcements of all
 * cores, clears them, and reports that it has got them: by WAND, or (-DSECOND_ROUND) by a second round of announcements.
 * WAND is a word that all cores see here; wand.pml has its details.
 * Checks that after the barrier each core's data have arrived, also those that two other cores have exchanged, and that no
 * core waits for ever.
 *
 * Mistakes:
 *   -DNO_ANNOUNCEMENT  only WAND: a core's data can arrive after its WAND
 *   -DNO_REPORT        a core continues when it has the announcements, but a third core possibly has not got its data
 *   -DCLEARED_LATE     a core clears the announcements after its report, and so those of the next barrier
 *   -DONE_ARRAY        the second round uses the array of the first
 */
// check: holds
// check: holds -DSECOND_ROUND
// check: fails -DNO_ANNOUNCEMENT
// check: fails -DNO_REPORT
// check: fails -DCLEARED_LATE
// check: fails -DSECOND_ROUND -DCLEARED_LATE
// check: fails -DSECOND_ROUND -DONE_ARRAY
#define PES 3
#define ROUNDS 2
#define PLACES 8
#define FIRST 0 /* places of the announcements: one for each sender */
#ifdef ONE_ARRAY
#define SECOND 0
#else
#define SECOND 3
#endif
#define DATA 6 /* one place for each round */
#include "network.pml"

byte reported[PES];

inline announce(array) {
    to = 0;
    do
    :: to < PES -> store(me, to, array + me, 1); to++
    :: else -> break
    od
}

inline await(array) {
    WORD(me, array) && WORD(me, array + 1) && WORD(me, array + 2)
}

inline clear(array) {
    atomic { WORD(me, array) = 0; WORD(me, array + 1) = 0; WORD(me, array + 2) = 0 }
}

proctype core(byte me) {
    byte round, to;
    do
    :: round < ROUNDS ->
        store(me, (me + 1) % PES, DATA + round, 1);
#ifndef NO_ANNOUNCEMENT
        announce(FIRST);
        await(FIRST);
#ifndef CLEARED_LATE
        clear(FIRST);
#endif
#endif
#ifdef SECOND_ROUND
        announce(SECOND);
        await(SECOND);
        clear(SECOND);
#else
#ifndef NO_REPORT
        reported[me] = round + 1;
        reported[0] > round && reported[1] > round && reported[2] > round;
#endif
#endif
#ifdef CLEARED_LATE
        clear(FIRST);
#endif
        to = 0;
        do
        :: to < PES -> assert(WORD(to, DATA + round) == 1); to++
        :: else -> break
        od;
        round++
    :: else -> break
    od
}

init {
    atomic {
        run core(0); run core(1); run core(2);
        run deliver(0, 1); run deliver(0, 2); run deliver(1, 0); run deliver(1, 2); run deliver(2, 0); run deliver(2, 1)
    }
}
