// SPDX-License-Identifier: BSD-3-Clause
// Copies blocks that have constant distances (strides) between them:
// * Puts of blocks of at most 8 bytes: a loop of loads and stores.
// * Gets of many such blocks: a DMA channel, because a channel has several reads in progress at the same time.
// * Larger blocks: a channel in two dimensions, if there are enough blocks and each block is small enough.
// * All other cases: one call of skerry_copy for each block, which is faster there.
#include "dma.h"

#define GET_WORTH_A_CHANNEL 28 // smallest number of elements of a get that uses a channel

// Copies elements of type TYPE, four in each iteration. Each store is two instructions after its load. So the value has
// arrived in its register when the store needs it.
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

// Copies blocks by the core, without a DMA channel.
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

static bool fits_half_word(ptrdiff_t stride) {
    return stride == (int16_t)stride;
}

// Smallest numbers of blocks, and largest sizes of a block in bytes. Within these limits a channel takes less time than
// a call for each block. Measured by bench/chip/rma.c.
#define PUT_BLOCKS_WORTH_A_CHANNEL 8
#define PUT_BLOCK_BYTES_MAX 128
#define GET_BLOCKS_WORTH_A_CHANNEL 4
#define GET_BLOCK_BYTES_MAX 64

// Copies blocks by a channel in two dimensions, in elements of 8 or 4 bytes. Returns false, and copies nothing, if a
// channel cannot copy these blocks. On return the elements of a put have left this core, and the elements of a get have
// arrived.
static bool copy_in_two_dimensions(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                                   size_t block_bytes, size_t blocks, uint32_t awaits_answers) {
    uintptr_t all = (uintptr_t)dest | (uintptr_t)source | (uintptr_t)dest_stride | (uintptr_t)source_stride |
                    (uintptr_t)block_bytes;
    uint32_t log = all & 7 ? 2 : 3, size = 1u << log;
    ptrdiff_t back = (ptrdiff_t)(block_bytes - size);
    struct skerry_descriptor descriptor = {
        .config = SKERRY_DMA_ELEMENTS(log) | awaits_answers,
        .inner_strides = size << 16 | size,
        .count = (uint32_t)blocks << 16 | (uint32_t)block_bytes >> log,
        .outer_strides = skerry_dma_strides(dest_stride - back, source_stride - back),
        .source = source,
        .dest = dest,
    };
    uintptr_t address = (uintptr_t)&descriptor;
    if (address + sizeof descriptor > SKERRY_DMA_DESCRIPTOR_END || (all & 3) != 0 || blocks > SKERRY_DMA_ELEMENTS_MAX ||
        !fits_half_word(dest_stride - back) || !fits_half_word(source_stride - back))
        return false;
    skerry_compiler_fence();
    skerry_start_channel(0, 0, 0, 0, address << 16 | SKERRY_DMA_STARTS_BY_DESCRIPTOR);
    skerry_wait_for_channels();
    return true;
}

void skerry_put_strided(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                        size_t block_bytes, size_t blocks, int pe) {
    char *to = skerry_global(dest, pe);
    if (block_bytes <= 8 || block_bytes > PUT_BLOCK_BYTES_MAX || blocks < PUT_BLOCKS_WORTH_A_CHANNEL ||
        !copy_in_two_dimensions(to, source, dest_stride, source_stride, block_bytes, blocks,
                                skerry_is_own(source) ? 0 : SKERRY_DMA_AWAITS_ANSWERS))
        copy_blocks(to, source, dest_stride, source_stride, block_bytes, blocks);
    skerry_note_written(pe);
}

// Returns true if a channel can copy these blocks in one dimension. In such a transfer each block is one element of 1,
// 2, 4 or 8 bytes.
static bool suits_a_channel(const char *dest, const char *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                            size_t block_bytes, size_t blocks) {
    return block_bytes != 0 && (block_bytes & (block_bytes - 1)) == 0 && block_bytes <= 8 &&
           blocks <= SKERRY_DMA_ELEMENTS_MAX && is_aligned(dest, source, dest_stride, source_stride, block_bytes) &&
           fits_half_word(dest_stride) && fits_half_word(source_stride);
}

void skerry_get_strided(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                        size_t block_bytes, size_t blocks, int pe) {
    bool own = skerry_is_own(dest);
    if (own && block_bytes > 8 && block_bytes <= GET_BLOCK_BYTES_MAX && blocks >= GET_BLOCKS_WORTH_A_CHANNEL &&
        copy_in_two_dimensions(skerry_localize(dest), skerry_global(source, pe), dest_stride, source_stride,
                               block_bytes, blocks, SKERRY_DMA_AWAITS_ANSWERS))
        return;
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
