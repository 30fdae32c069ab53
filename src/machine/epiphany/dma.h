// SPDX-License-Identifier: BSD-3-Clause
// The two DMA channels of this core.
#ifndef SKERRY_MACHINE_EPIPHANY_DMA_H
#define SKERRY_MACHINE_EPIPHANY_DMA_H

#include "internal.h"

#define SKERRY_DMA_ELEMENTS_MAX 0xffffu
#define SKERRY_DMA_AWAITS_ANSWERS 0x400u // message mode: idle only when what was read elsewhere has come

// From element to element, in bytes; each fits 16 bits.
SKERRY_HOT uint32_t skerry_dma_strides(ptrdiff_t dest_stride, ptrdiff_t source_stride) {
    return (uint32_t)dest_stride << 16 | ((uint32_t)source_stride & 0xffff);
}

// Starts an idle channel, when there is one, on so many aligned elements of 1 << size_log bytes.
void skerry_start_channel(void *dest, const void *source, uint32_t strides, uint32_t elements, uint32_t size_log,
                          uint32_t awaits_answers);

#endif
