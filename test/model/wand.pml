/* SPDX-License-Identifier: BSD-3-Clause
 * The chip's own barrier (skerry_hardware_barrier in src/machine/epiphany/machine.h), ROUNDS times among PES cores,
 * each at its own pace. When all cores have executed WAND, the chip clears their WAND bits in STATUS and latches the
 * interrupt, one core after the other: a fast core may be in the next barrier before a slow core's interrupt is
 * latched. An interrupt of core 0 at any moment ends by restoring STATUS to its value before (interrupt.S), except if
 * the core's WAND bit was set in that value.
 * Checks that no core leaves a barrier before all have entered it, and that no core waits for ever.
 *
 * Mistakes:
 *   -DKEPT           a core leaves its interrupt latched, so it leaves the next barrier at once
 *   -DCLEARED_LATE   a core clears the latch between WAND and its poll instead, when the interrupt may be latched
 *                    already
 *   -DPUT_BACK       an interrupt restores STATUS in any case
 */
// check: holds
// check: fails -DKEPT
// check: fails -DCLEARED_LATE
// check: fails -DPUT_BACK
#define PES 3
#define ROUNDS 3

bit said[PES];  /* the WAND bit of STATUS: this core has executed WAND */
bit latch[PES]; /* the interrupt's bit of ILAT; the interrupt is masked, so the bit stays set */
byte entered[PES];
bit interrupted; /* core 0 runs a handler */

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
