/* SPDX-License-Identifier: BSD-3-Clause
 * The chip's own barrier, skerry_hardware_barrier in src/machine/epiphany/machine.h, ROUNDS times among PES cores at any pace. When all cores have said
 * WAND the chip takes that away and latches the interrupt, core by core: a fast core may be in the next barrier before a
 * slow one has heard of this. An interrupt of core 0 anywhere ends by putting STATUS back as it was (interrupt.S), but not
 * where the core had said WAND. Checks that nobody leaves a barrier before all have entered it, and that nobody waits for ever.
 *
 * Mistakes: -DKEPT leaves the interrupt latched, and the next barrier is left at once; -DCLEARED_LATE takes it away between
 * WAND and the look instead, when it may have come already; -DPUT_BACK puts STATUS back as it was in any case.
 */
// check: holds
// check: fails -DKEPT
// check: fails -DCLEARED_LATE
// check: fails -DPUT_BACK
#define PES 3
#define ROUNDS 3

bit said[PES];  /* STATUS: this core has said WAND */
bit latch[PES]; /* its bit of ILAT; masked, so it stays */
byte entered[PES];
bit interrupted; /* core 0 */

active [PES] proctype core() provided (_pid != 0 || !interrupted) {
    byte round, other;
    do
    :: round < ROUNDS ->
        round++;
        entered[_pid] = round;
        said[_pid] = 1;
#ifdef CLEARED_LATE
        latch[_pid] = 0;
#endif
        latch[_pid];
#if !defined(KEPT) && !defined(CLEARED_LATE)
        latch[_pid] = 0;
#endif
        atomic {
            other = 0;
            do
            :: other < PES -> assert(entered[other] >= round); other++
            :: else -> break
            od;
            other = 0
        }
    :: else -> break
    od
}

active proctype interrupt() {
    byte times;
    bit saved;
end: do
    :: times < 2 ->
        atomic { interrupted = 1; saved = said[0]; times++ }
        atomic {
#ifndef PUT_BACK
            if
            :: saved
            :: else -> said[0] = 0
            fi;
#else
            said[0] = saved;
#endif
            interrupted = 0
        }
    od
}

active proctype wire() {
    byte to;
end: do
    :: said[0] && said[1] && said[2] ->
        do
        :: to < PES -> atomic { said[to] = 0; latch[to] = 1; to++ }
        :: else -> break
        od;
        to = 0
    od
}
