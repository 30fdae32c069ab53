// SPDX-License-Identifier: BSD-3-Clause
// Gets data from another PE. A load from another core's memory waits for the answer, so loads are slow for many bytes.
// Instead, this core (the requester) interrupts the core that owns the data (the owner). The owner's interrupt handler
// stores the data in the requester's memory (get.S, interrupt.S). The model of this protocol is
// test/model/get_later.pml.
//
// The request and the answer:
// * A PE has at most one request in progress. The request is in the owner's memory, in a double word that only this
//   requester writes.
// * The requester stores three things in the owner's memory: the request, then the requester's byte in skerry_wanted,
//   then the word that raises the interrupt.
// * The owner stores the data, and then stores 1 in the requester's skerry_got.
// * Stores from one core to one other core arrive in order, so both sequences arrive in order.
//
// Why no two PEs wait for each other:
// * A PE that waits for its data answers the requests of other PEs. So two PEs can get data from each other at the same
//   time.
// * A PE that cannot be interrupted could not answer requests. So such a PE uses loads.
// * An owner that has masked interrupts answers only after it unmasks them. So a program must not wait for other PEs
//   while it masks interrupts.
//
// A non-blocking get sends its request in the same way, but does not wait for the data. This PE waits for the data
// before its next request, or in quiet, which finds an address in skerry_written_outside (quiet.S). A DMA channel could
// copy the data without an interrupt of the owner, but the get would take seven times as long.
#include "dma.h"
#include "interrupt.h"

// Smallest number of bytes for which interrupting the owner is faster than loads. Measured by bench/chip/rma.c.
#define SKERRY_GET_WORTH_AN_INTERRUPT 64

// skerry_requests and skerry_wanted have one element for each PE (epiphany.ld). A request has two words:
//     first word   lower 20 bits: offset of the source in the owner's memory.
//                  Upper 12 bits: the lower 12 bits of the size in bytes.
//     second word  lower 20 bits: offset of the destination in the requester's memory.
//                  Upper 12 bits: the rest of the size.
extern volatile uint64_t skerry_requests[];
extern volatile uint8_t skerry_wanted[];

// A flag of this core as a requester. 0: a request of this core is in progress. 1: no request is in progress. In programs
// that begin gets (get_begun.c) another definition replaces this one.
extern volatile uint8_t skerry_got;
volatile uint8_t skerry_got __attribute__((weak)) = 1;

// Makes the linker add get.S, which answers gets, to every program that contains the function in which this macro is used.
#define NEEDS_ANSWERS() __asm__ volatile(".global _skerry_serve_gets")

// Requests data from the PE that owns it. Returns true if that PE will store the data here. skerry_got becomes 1 when
// the data has arrived. Returns false if no request was made.
static bool ask(void *dest, const void *source, size_t bytes, int pe) {
    SKERRY_NEEDS_INTERRUPTS();
    NEEDS_ANSWERS();
    int me = skerry_my_pe();
    if (pe == me || !skerry_can_be_interrupted()) return false;
    uint32_t from = (uint32_t)(uintptr_t)source & SKERRY_PARTITION_MASK;
    uint32_t to = (uint32_t)(uintptr_t)dest & SKERRY_PARTITION_MASK;
    uint64_t request = (uint64_t)(to | bytes >> 12 << 20) << 32 | (from | bytes << 20);
    // Interrupts stay masked from the last load of skerry_got until the request is sent. Suppose that a remote
    // procedure call interrupted this code in between:
    // * If the called function began a non-blocking get, this PE would have two requests in progress.
    // * If the called function called quiet, quiet would wait for the answer to a request that is not sent yet.
    uint32_t mask = skerry_mask_interrupts();
    // Waits until the earlier get of this PE is complete. That get was a non-blocking get of this program, or a get of
    // the code that the current remote call has interrupted.
    while (!skerry_got) {
        skerry_unmask_interrupts(mask);
        while (!skerry_got) continue;
        mask = skerry_mask_interrupts();
    }
    skerry_got = 0;
    *(volatile uint64_t *)skerry_global(&skerry_requests[me], pe) = request;
    *(volatile uint8_t *)skerry_global(&skerry_wanted[me], pe) = 1;
    skerry_interrupt_core(pe);
    skerry_unmask_interrupts(mask);
    return true;
}

extern __typeof__(ask) skerry_ask __attribute__((alias("ask")));

// Gets data to a destination that is given as a global address. If the destination is not in this core's memory, this
// core copies the data by loads and stores.
static __attribute__((noinline)) void get_to_global(void *dest, const void *source, size_t bytes, int pe) {
    if (skerry_is_own(dest)) return skerry_get(skerry_localize(dest), source, bytes, pe);
    skerry_copy(dest, skerry_global(source, pe), bytes);
    if (bytes) skerry_written_outside = (char *)dest + bytes - 1;
}

void skerry_get(void *dest, const void *source, size_t bytes, int pe) {
    if ((uintptr_t)dest > SKERRY_PARTITION_MASK) return get_to_global(dest, source, bytes, pe);
    if (bytes >= SKERRY_GET_WORTH_AN_INTERRUPT && ask(dest, source, bytes, pe)) {
        while (!skerry_got) continue;
        skerry_compiler_fence();
        return;
    }
    skerry_copy(dest, skerry_global(source, pe), bytes);
}

// Makes the next call of quiet wait for the get that is in progress. Interrupts are masked between the test and the
// store. If not, a handler could store another address in skerry_written_outside in between, and this store would
// overwrite that address.
static void leave_to_quiet(void) {
    uint32_t mask = skerry_mask_interrupts();
    if (!skerry_written_outside) skerry_written_outside = &skerry_got;
    skerry_unmask_interrupts(mask);
}

void skerry_get_nbi(void *dest, const void *source, size_t bytes, int pe) {
    if ((uintptr_t)dest <= SKERRY_PARTITION_MASK && bytes >= SKERRY_GET_WORTH_AN_INTERRUPT &&
        ask(dest, source, bytes, pe))
        return leave_to_quiet();
    skerry_get_by_channel(dest, source, bytes, pe);
}
