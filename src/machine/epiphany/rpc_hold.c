// SPDX-License-Identifier: BSD-3-Clause
// Shutting this core's ring by request of its program: bit 0 of `head` says that this core runs calls, although it does
// not. Then the user interrupt's handler leaves the ring alone. Other cores find this core awake and add to the ring
// until it is full, or wake it once in vain. f_rpc of this PE runs a function here if it could not wait for the answer.
// Gets are still answered. Only this core writes the bit, and it masks the user interrupt meanwhile. When the ring is
// opened again the core interrupts itself. Modelled in test/model/rpc.pml.
#include "internal.h"
#include "interrupt.h"
#include "rpc.h"

uint8_t skerry_rpc_held;

void skerry_rpc_hold(bool held) {
    SKERRY_NEEDS_CALLS();
    uint32_t mask = skerry_mask_interrupts();
    bool serves = skerry_rpc_level() == 1; // this is a function that another core has called
    bool changes = !serves && held != (bool)skerry_rpc_held;
    if (changes) {
        skerry_rpc.head ^= SKERRY_RPC_SERVES;
        skerry_rpc_held = held;
    }
    skerry_unmask_interrupts(mask);
    if (changes && !held && skerry_rpc.tail) skerry_rpc_look();
}

void skerry_rpc_look(void) {
    uint32_t latch;
    __asm__ volatile("movts ilatst, %0" : : "r"(SKERRY_USER_INTERRUPT) : "memory");
    do __asm__ volatile("movfs %0, ilat" : "=r"(latch) : : "memory");
    while ((latch & SKERRY_USER_INTERRUPT) && skerry_can_be_interrupted());
}
