// SPDX-License-Identifier: BSD-3-Clause
// Starts non-blocking copies. A DMA channel copies elements of 8 or 4 bytes, and the core copies the unaligned bytes at
// the two ends. The core copies all bytes before the function returns in two cases: few bytes, or different offsets of
// source and destination within a word. The fast path in dma.S, for puts of double words without unaligned ends, does
// not call this file.
#include "dma.h"

// Returns true if a channel can copy these bytes. Source and destination must have the same offset within a word, and
// the number of words must fit the channel's register.
SKERRY_ALWAYS_INLINE bool can_start(const void *dest, const void *source, size_t bytes) {
    return (((uintptr_t)dest ^ (uintptr_t)source) & 3) == 0 && bytes <= SKERRY_DMA_ELEMENTS_MAX * 4;
}

// Starts a channel that copies the elements, and copies the unaligned bytes at both ends by the core. If source and
// destination have the same offset within a double word, the elements are double words. If not, they are words.
static void start(char *dest, const char *source, size_t bytes, uint32_t awaits_answers) {
    uint32_t size_log = ((uintptr_t)dest ^ (uintptr_t)source) & 4 ? 2 : 3;
    uint32_t size = 1u << size_log;
    size_t head = (0 - (uintptr_t)dest) & (size - 1);
    size_t elements = (bytes - head) >> size_log;
    skerry_start_channel(dest + head, source + head, skerry_dma_count(elements), size << 16 | size,
                         SKERRY_DMA_ELEMENTS(size_log) | awaits_answers);
    if ((((uintptr_t)dest | bytes) & (size - 1)) == 0) return;
    size_t tail = head + (elements << size_log);
    skerry_copy(dest, source, head);
    skerry_copy(dest + tail, source + tail, bytes - tail);
}

void skerry_put_nbi_otherwise(void *dest, const void *source, size_t bytes, int pe) {
    if (bytes < SKERRY_PUT_WORTH_A_CHANNEL || !can_start(dest, source, bytes))
        return skerry_put(dest, source, bytes, pe);
    start(skerry_global(dest, pe), source, bytes, skerry_is_own(source) ? 0 : SKERRY_DMA_AWAITS_ANSWERS);
    skerry_note_written(pe);
}

void skerry_get_by_channel(void *dest, const void *source, size_t bytes, int pe) {
    if (bytes < SKERRY_GET_WORTH_A_CHANNEL || !can_start(dest, source, bytes) || !skerry_is_own(dest))
        return skerry_get(dest, source, bytes, pe);
    start(skerry_localize(dest), skerry_global(source, pe), bytes, SKERRY_DMA_AWAITS_ANSWERS);
}
