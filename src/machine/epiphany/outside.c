// SPDX-License-Identifier: BSD-3-Clause
// Accesses external memory, which all cores can load and store and which belongs to no core. An atomic operation on
// external memory uses the lock in the memory of PE 0.
#include "dma.h"

// skerry_note_stores writes this word in external memory after the caller's stores to external memory. The accesses of
// one core to external memory stay in order. A load does not overtake the core's store to the same address. So a quiet
// that loads this word waits until all earlier stores to external memory have arrived.
static volatile uint32_t last_word __attribute__((section(".external")));

void skerry_note_stores(const volatile void *address, int pe) {
    if (!skerry_is_outside(address)) {
        skerry_note_written(pe);
        return;
    }
    last_word = 0;
    skerry_written_outside = &last_word;
}

// Compares and swaps under the lock of PE 0. Loads the word again after the store, so that the store has arrived before
// the lock is released. Without this load, the store that releases the lock could arrive first, because it takes
// another route through the network.
uint64_t skerry_outside_compare_swap_64(void *word, uint64_t expected, uint64_t value) {
    volatile uint32_t *lock = skerry_global(&skerry_lock_64, 0);
    volatile uint64_t *there = word;
    uint32_t mask = skerry_take_lock(lock);
    uint64_t old = *there;
    if (old == expected) {
        *there = value;
        (void)*there;
    }
    skerry_give_lock(lock, mask, 0);
    return old;
}

#define WORTH_A_CHANNEL                                                                                                \
    24 // bytes; a load by the core waits about 500 cycles for its value, but a channel has nine loads in progress

void skerry_outside_get(void *dest, const void *source, size_t bytes) {
    uintptr_t all = (uintptr_t)dest | (uintptr_t)source | bytes;
    if (bytes < WORTH_A_CHANNEL || !skerry_is_own(dest)) skerry_copy(dest, source, bytes);
    else if ((all & 7) == 0 && bytes <= SKERRY_DMA_ELEMENTS_MAX)
        skerry_start_channel(skerry_localize(dest), source, skerry_dma_count(bytes / 8), skerry_dma_strides(8, 8),
                             SKERRY_DMA_DOUBLE_WORDS | SKERRY_DMA_AWAITS_ANSWERS);
    else skerry_put_nbi(skerry_localize(dest), source, bytes, skerry_my_pe());
}
