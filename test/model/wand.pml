/* SPDX-License-Identifier: BSD-3-Clause
 * The chip's own barrier, skerry_hardware_barrier in src/machine/epiphany/machine.h, ROUNDS times among PES cores at any pace. When all cores have said
 * WAND the chip takes that away and latches the interrupt, core by core: a fast core may be in the next barrier before a
 * slow one has heard of this. Checks that nobody leaves a barrier before all have entered it, and that nobody waits for ever.
 *
 * Mistakes: -DKEPT leaves the interrupt latched, and the next barrier is left at once; -DCLEARED_LATE takes it away between
 * WAND and the look instead, when it may have come already.
 */
#define PES 3
#define ROUNDS 3

bit said[PES];  /* STATUS: this core has said WAND */
bit latch[PES]; /* its bit of ILAT; masked, so it stays */
byte entered[PES];

active [PES] proctype core() {
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
