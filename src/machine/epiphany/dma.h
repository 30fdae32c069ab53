// SPDX-License-Identifier: BSD-3-Clause
// The two DMA channels of this core.
#ifndef SKERRY_MACHINE_EPIPHANY_DMA_H
#define SKERRY_MACHINE_EPIPHANY_DMA_H

#define SKERRY_DMA_ELEMENTS_MAX 0xffff

// For the register CONFIG: started at once, elements of 1 << log bytes.
#define SKERRY_DMA_ELEMENTS(log) (0x3 | (log) << 5)
#define SKERRY_DMA_DOUBLE_WORDS SKERRY_DMA_ELEMENTS(3)
#define SKERRY_DMA_AWAITS_ANSWERS 0x400 // message mode: idle only when what was read elsewhere has come

// From so many bytes on a channel is started in less time than the core would need: bench/chip/nbi.c.
#define SKERRY_PUT_WORTH_A_CHANNEL 128
#define SKERRY_GET_WORTH_A_CHANNEL 64

#ifndef __ASSEMBLER__
#include "internal.h"

// From element to element, in bytes; each fits 16 bits.
SKERRY_ALWAYS_INLINE uint32_t skerry_dma_strides(ptrdiff_t dest_stride, ptrdiff_t source_stride) {
    return (uint32_t)dest_stride << 16 | ((uint32_t)source_stride & 0xffff);
}

// One round of so many elements.
SKERRY_ALWAYS_INLINE uint32_t skerry_dma_count(uint32_t elements) {
    return 1u << 16 | elements;
}

// Starts an idle channel, when there is one, on elements that are aligned. `config` is of the words above.
void skerry_start_channel(void *dest, const void *source, uint32_t count, uint32_t strides, uint32_t config);

// What the plain case of non-blocking transfers (dma.S) leaves: edges, words, places outside, few bytes.
void skerry_put_nbi_otherwise(void *dest, const void *source, size_t bytes, int pe);

// A get by a channel, completed by skerry_wait_for_channels, or by the core at once: where the owner of the data cannot be
// interrupted for it (get.c).
void skerry_get_by_channel(void *dest, const void *source, size_t bytes, int pe);
#endif

#endif
