// SPDX-License-Identifier: BSD-3-Clause
// Begins gets for which the owner of the data stores it here (get.c), so that the core computes meanwhile. Such a get has
// an end of its own: a double word that has reached a value.
#include "dma.h"

// The lowest byte is the flag skerry_got of get.c: 0 while a request of this core is in progress, else 1. The other bytes are
// a number, which grows only while no request is in progress. So a request is complete when the double word is at least
// (the number at the time of the request) * 256 + 1.
volatile uint64_t got_word __asm__("_skerry_got") = 1;

bool skerry_begin_push(void *dest, const void *source, size_t bytes, int pe, struct skerry_begun *begun) {
    for (;;) {
        uint32_t mask = skerry_mask_interrupts();
        const bool is_free = (uint32_t)got_word & 1;
        if (is_free) got_word += 0x100;
        skerry_unmask_interrupts(mask);
        if (is_free) break;
    }
    // A handler that interrupts this function can make requests of its own, before or after this one. A number that is too
    // large does no harm: the copy seems to end later than it does.
    if (!skerry_ask(dest, source, bytes, pe)) return false;
    uint32_t mask = skerry_mask_interrupts();
    if (!skerry_written_outside) skerry_written_outside = &got_word; // as leave_to_quiet of get.c does
    begun->word = (const volatile int64_t *)&got_word;
    begun->value = (int64_t)(got_word | 1);
    skerry_unmask_interrupts(mask);
    return true;
}
