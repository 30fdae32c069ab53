// SPDX-License-Identifier: BSD-3-Clause
// Shuts this core's ring (its queue of calls, call.S) if its program requests it: calls of other cores then stay in the
// ring until the program opens the ring. To shut the ring, this core sets bit 0 of `head`, as if it were running calls.
// * The handler of the user interrupt then runs no calls. The first caller that finds the core asleep interrupts it in
//   vain. After that, callers find the core awake, and add calls until the ring is full.
// * If this PE calls f_rpc meanwhile, f_rpc runs f on this PE, as it does while this PE runs calls.
// * Requests of other cores for data (gets) are still answered.
// test/model/rpc.pml is a model of this protocol.
#include "ring.h"

uint8_t skerry_rpc_held;

void skerry_rpc_hold(bool held) {
    SKERRY_NEEDS_CALLS();
    // Only this core writes bit 0 of `head`. Its interrupt handler writes the bit too, so the interrupt is masked.
    uint32_t mask = skerry_mask_interrupts();
    bool serves = skerry_rpc_level() == 1; // true: a function that another core has called is running
    bool changes = !serves && held != (bool)skerry_rpc_held;
    if (changes) {
        skerry_rpc.head ^= SKERRY_RPC_SERVES;
        skerry_rpc_held = held;
    }
    skerry_unmask_interrupts(mask);
    // Runs the calls that waited while the ring was shut.
    if (changes && !held && skerry_rpc.tail) skerry_interrupt_own_core();
}
