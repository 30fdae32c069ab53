// SPDX-License-Identifier: BSD-3-Clause
// Gets. A load of another core's memory waits for its answer, so many bytes are fetched otherwise: the owner is
// interrupted and pushes them (get.S, interrupt.S).
//
// A PE has one request under way. It lies with the owner, in the requester's own double word, which nobody else writes:
// request, then the byte in skerry_wanted, then the interrupt, all from one core to one other and so in this order. The
// owner's flag comes behind the data for the same reason. A PE that waits here serves others meanwhile, so two PEs may get
// from each other. A PE that cannot be interrupted could not serve, and loads instead. A request is made with interrupts
// masked, from the last look at the flag on: a remote procedure call that came there could begin a get of its own and leave it to quiet,
// or be quiet and wait for a request that is not sent. An owner that has masked interrupts answers when it has unmasked them: a program must not
// wait for others in between.
//
// A get that may be completed later is the same without the wait: the next request waits for its data, and so does quiet, which
// finds skerry_written_outside set (quiet.S). Modelled in test/model/get_later.pml. A DMA channel would leave the owner alone, but takes seven times as long.
#include "dma.h"
#include "interrupt.h"

// From so many bytes on the interrupt is faster: bench/chip/rma.c measures it.
#define SKERRY_GET_WORTH_AN_INTERRUPT 64

// Both have an element for each PE (epiphany.ld). A request: 20 bits of source, 20 of destination, each an offset in its
// core's memory, and 24 of size in the two upper parts.
extern volatile uint64_t skerry_requests[];
extern volatile uint8_t skerry_wanted[];
extern volatile uint8_t skerry_got;

// True: the owner will push the data, and skerry_got tells when they are here. False: nothing was done.
static bool ask(void *dest, const void *source, size_t bytes, int pe) {
    SKERRY_NEEDS_INTERRUPTS();
    int me = skerry_my_pe();
    if (pe == me || !skerry_can_be_interrupted()) return false;
    uint32_t from = (uint32_t)(uintptr_t)source & SKERRY_PARTITION_MASK;
    uint32_t to = (uint32_t)(uintptr_t)dest & SKERRY_PARTITION_MASK;
    uint64_t request = (uint64_t)(to | bytes >> 12 << 20) << 32 | (from | bytes << 20);
    uint32_t mask = skerry_mask_interrupts();
    while (!skerry_got) { // of an earlier one, or of the get that this call has interrupted
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

// The destination by a global address: this core's own, or somewhere that only loads and stores reach.
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

// A handler may be quiet between the look and the store, so that nothing would be left for the program's quiet to find.
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
