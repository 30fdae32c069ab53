// SPDX-License-Identifier: BSD-3-Clause
// The two DMA channels of this core: constants for their registers, and functions that start them.
#ifndef SKERRY_MACHINE_EPIPHANY_DMA_H
#define SKERRY_MACHINE_EPIPHANY_DMA_H

#define SKERRY_DMA_ELEMENTS_MAX 0xffff

// Value of the register CONFIG that starts a channel at once, with elements of 1 << log bytes.
#define SKERRY_DMA_ELEMENTS(log) (0x3 | (log) << 5)
#define SKERRY_DMA_DOUBLE_WORDS SKERRY_DMA_ELEMENTS(3)
#define SKERRY_DMA_AWAITS_ANSWERS 0x400 // message mode: idle only after all data read from other cores has arrived

// From this number of bytes on, starting a channel takes less time than a copy by the core: bench/chip/nbi.c.
#define SKERRY_PUT_WORTH_A_CHANNEL 128
#define SKERRY_GET_WORTH_A_CHANNEL 64

#ifndef __ASSEMBLER__
#include "internal.h"

// Returns the register value for the strides from element to element, in bytes. Each stride fits 16 bits.
SKERRY_ALWAYS_INLINE uint32_t skerry_dma_strides(ptrdiff_t dest_stride, ptrdiff_t source_stride) {
    return (uint32_t)dest_stride << 16 | ((uint32_t)source_stride & 0xffff);
}

// Returns the register value for one round of `elements` elements.
SKERRY_ALWAYS_INLINE uint32_t skerry_dma_count(uint32_t elements) {
    return 1u << 16 | elements;
}

// Starts a channel on a transfer; waits until a channel is idle. Elements must be aligned. `config` is one of the
// values above.
void skerry_start_channel(void *dest, const void *source, uint32_t count, uint32_t strides, uint32_t config);

// The cases of skerry_put_nbi that the fast path in dma.S leaves out: unaligned ends, elements of 4 bytes, addresses
// that are not short, few bytes.
void skerry_put_nbi_otherwise(void *dest, const void *source, size_t bytes, int pe);

// A non-blocking get for cases in which the owner of the data cannot be interrupted (get.c). By a channel, completed by
// skerry_wait_for_channels, or by the core and completed on return.
void skerry_get_by_channel(void *dest, const void *source, size_t bytes, int pe);
#endif

#endif
