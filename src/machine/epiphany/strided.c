// SPDX-License-Identifier: BSD-3-Clause
// Blocks at regular distances. Blocks that are one word to the processor are put by a loop without calls and, when there
// are several, got by a DMA channel, which has many reads under way.
#include "dma.h"

#define GET_WORTH_A_CHANNEL 28 // elements

// Four elements a round: the stores find their values there.
#define COPY_ELEMENTS(TYPE, LOAD, STORE)                                                                               \
    for (; blocks >= 4; blocks -= 4) {                                                                                 \
        TYPE a, b;                                                                                                     \
        __asm__ volatile(LOAD " %2,[%1],%5\n\t" LOAD " %3,[%1],%5\n\t" STORE " %2,[%0],%4\n\t" STORE                   \
                              " %3,[%0],%4\n\t" LOAD " %2,[%1],%5\n\t" LOAD " %3,[%1],%5\n\t" STORE                    \
                              " %2,[%0],%4\n\t" STORE " %3,[%0],%4"                                                    \
                         : "+r"(dest), "+r"(source), "=&r"(a), "=&r"(b)                                                \
                         : "r"(dest_stride), "r"(source_stride)                                                        \
                         : "memory");                                                                                  \
    }                                                                                                                  \
    for (; blocks; blocks--, dest += dest_stride, source += source_stride)                                             \
        *(volatile TYPE *)(void *)dest = *(const volatile TYPE *)(const void *)source;

static bool is_aligned(const char *dest, const char *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                       size_t size) {
    uintptr_t all = (uintptr_t)dest | (uintptr_t)source | (uintptr_t)dest_stride | (uintptr_t)source_stride;
    return (all & (size - 1)) == 0;
}

// By the core.
static void copy_blocks(char *dest, const char *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                        size_t block_bytes, size_t blocks) {
    bool aligned = is_aligned(dest, source, dest_stride, source_stride, block_bytes);
    if (block_bytes == 4 && aligned) {
        COPY_ELEMENTS(uint32_t, "ldr", "str")
    } else if (block_bytes == 8 && aligned) {
        COPY_ELEMENTS(uint64_t, "ldrd", "strd")
    } else {
        for (; blocks; blocks--, dest += dest_stride, source += source_stride) skerry_copy(dest, source, block_bytes);
    }
}

void skerry_put_strided(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                        size_t block_bytes, size_t blocks, int pe) {
    copy_blocks(skerry_global(dest, pe), source, dest_stride, source_stride, block_bytes, blocks);
    skerry_note_written(pe);
}

static bool fits_half_word(ptrdiff_t stride) {
    return stride == (int16_t)stride;
}

// Whether a channel can do it: elements, not blocks.
static bool suits_a_channel(const char *dest, const char *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                            size_t block_bytes, size_t blocks) {
    return block_bytes != 0 && (block_bytes & (block_bytes - 1)) == 0 && block_bytes <= 8 &&
           blocks <= SKERRY_DMA_ELEMENTS_MAX && is_aligned(dest, source, dest_stride, source_stride, block_bytes) &&
           fits_half_word(dest_stride) && fits_half_word(source_stride);
}

void skerry_get_strided(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                        size_t block_bytes, size_t blocks, int pe) {
    bool own = skerry_is_own(dest);
    if (block_bytes > 8) {
        char *to = dest;
        const char *from = source;
        for (; blocks; blocks--, to += dest_stride, from += source_stride) skerry_get(to, from, block_bytes, pe);
    } else if (own && blocks >= GET_WORTH_A_CHANNEL &&
               suits_a_channel(dest, source, dest_stride, source_stride, block_bytes, blocks)) {
        uint32_t log = block_bytes >> 1 < 3 ? (uint32_t)block_bytes >> 1 : 3;
        skerry_start_channel(skerry_localize(dest), skerry_global(source, pe), skerry_dma_count((uint32_t)blocks),
                             skerry_dma_strides(dest_stride, source_stride),
                             SKERRY_DMA_ELEMENTS(log) | SKERRY_DMA_AWAITS_ANSWERS);
        skerry_wait_for_channels();
    } else {
        copy_blocks(dest, skerry_global(source, pe), dest_stride, source_stride, block_bytes, blocks);
        if (!own && blocks) skerry_written_outside = (char *)dest + dest_stride * ((ptrdiff_t)blocks - 1);
    }
}
