// SPDX-License-Identifier: BSD-3-Clause
// Gets. A load from another core's memory waits for the answer. So for many bytes the core that owns the data is
// interrupted, and its handler stores the data at the requester (get.S, interrupt.S).
//
// A PE has at most one request in progress. The request lies in the owner's memory, in a double word that only this
// requester writes. The requester stores the request, then its byte in skerry_wanted, then the interrupt. All three go
// from one core to one other core, so they arrive in this order. The owner stores skerry_got after the data, and for
// the same reason it arrives after the data.
//
// A PE that waits here answers the requests of other PEs meanwhile, so two PEs may get from each other. A PE that
// cannot be interrupted could not answer, so it uses loads instead. A request is made with interrupts masked, from the
// last load of skerry_got on. Otherwise a remote procedure call that arrives in between could begin a get of its own
// and leave its completion to quiet, or call quiet, which would then wait for a request that is not sent yet. An owner
// that has masked interrupts answers after it unmasks them: so a program must not wait for other PEs while it masks
// interrupts.
//
// A get that may be completed later sends the same request and does not wait. The next request waits for its data, and
// so does quiet, which finds skerry_written_outside set (quiet.S). Modelled in test/model/get_later.pml. A DMA channel
// would not interrupt the owner, but takes seven times as long.
#include "dma.h"
#include "interrupt.h"

// From this number of bytes on, the interrupt is faster than loads: measured by bench/chip/rma.c.
#define SKERRY_GET_WORTH_AN_INTERRUPT 64

// The first two have one element for each PE (epiphany.ld). A request consists of 20 bits of source and 20 bits of
// destination, each an offset in its core's memory, and of 24 bits of size in the upper parts of the two words.
extern volatile uint64_t skerry_requests[];
extern volatile uint8_t skerry_wanted[];
extern volatile uint8_t skerry_got;

// Requests data from its owner. Returns true if the owner will store the data here; skerry_got is 1 when the data has
// arrived. Returns false if no request was made.
static bool ask(void *dest, const void *source, size_t bytes, int pe) {
    SKERRY_NEEDS_INTERRUPTS();
    int me = skerry_my_pe();
    if (pe == me || !skerry_can_be_interrupted()) return false;
    uint32_t from = (uint32_t)(uintptr_t)source & SKERRY_PARTITION_MASK;
    uint32_t to = (uint32_t)(uintptr_t)dest & SKERRY_PARTITION_MASK;
    uint64_t request = (uint64_t)(to | bytes >> 12 << 20) << 32 | (from | bytes << 20);
    uint32_t mask = skerry_mask_interrupts();
    while (!skerry_got) { // an earlier get, or the get that was interrupted by the call that makes this one
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

// Gets data to a destination given as a global address: this core's own memory, or memory that only loads and stores
// can access.
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

// Leaves the completion of a get to quiet. Interrupts are masked because a handler could call quiet between the test
// and the store; then the program's quiet would find nothing to wait for.
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
