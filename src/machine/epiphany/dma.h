// SPDX-License-Identifier: BSD-3-Clause
// Declares constants for the registers of a core's two DMA channels, and functions that start the channels.
#ifndef SKERRY_MACHINE_EPIPHANY_DMA_H
#define SKERRY_MACHINE_EPIPHANY_DMA_H

#define SKERRY_DMA_ELEMENTS_MAX 0xffff

// Value of a channel's register CONFIG that starts the channel, with elements of 1 << log bytes.
#define SKERRY_DMA_ELEMENTS(log) (0x3 | (log) << 5)
#define SKERRY_DMA_DOUBLE_WORDS SKERRY_DMA_ELEMENTS(3)
// Message mode: the channel is idle only when all data that it reads from other cores has arrived.
#define SKERRY_DMA_AWAITS_ANSWERS 0x400
// Value of CONFIG that starts a channel by a descriptor, whose address is in the upper half. In a descriptor, CHAINS makes
// the channel fetch another descriptor at the end of the transfer, from the address in the upper half.
#define SKERRY_DMA_STARTS_BY_DESCRIPTOR 0x8
#define SKERRY_DMA_CHAINS 0x4
#define SKERRY_DMA_DESCRIPTOR_END 0xffffu // a channel's register has 16 bits for a descriptor's address

// The smallest put and the smallest get, in bytes, for which starting a channel takes less time than a copy by the
// core. Measured by bench/chip/nbi.c.
#define SKERRY_PUT_WORTH_A_CHANNEL 128
#define SKERRY_GET_WORTH_A_CHANNEL 64

#ifndef __ASSEMBLER__
#include "internal.h"

// A transfer in the form in which a DMA channel reads it from memory. The transfer is two nested loops. The outer loop
// runs over rounds, and the inner loop over the elements of a round.
struct skerry_descriptor {
    _Alignas(8) uint32_t config;
    uint32_t inner_strides; // bytes from one element to the next: destination in the upper half, source in the lower
    uint32_t count;         // number of rounds in the upper half, number of elements of a round in the lower half
    uint32_t outer_strides; // bytes from a round's last element to the next round's first, as in inner_strides
    const void *source;
    void *dest;
};

// Returns the value of a channel's stride register for these two strides. A stride is the distance in bytes from one
// element to the next. Each stride must fit into 16 bits.
SKERRY_ALWAYS_INLINE uint32_t skerry_dma_strides(ptrdiff_t dest_stride, ptrdiff_t source_stride) {
    return (uint32_t)dest_stride << 16 | ((uint32_t)source_stride & 0xffff);
}

// Returns the value of a channel's count register for a transfer in one dimension with `elements` elements.
SKERRY_ALWAYS_INLINE uint32_t skerry_dma_count(uint32_t elements) {
    return 1u << 16 | elements;
}

// Waits until one of the two channels is idle, and starts a transfer on it. `dest` and `source` must be aligned to
// the size of an element. `count` is a result of skerry_dma_count, `strides` is a result of skerry_dma_strides, and
// `config` consists of the SKERRY_DMA_ constants above.
void skerry_start_channel(void *dest, const void *source, uint32_t count, uint32_t strides, uint32_t config);

// Starts a non-blocking put in the cases that the fast path in dma.S does not handle:
// * unaligned ends
// * elements of 4 bytes
// * few bytes
// * addresses that are not short addresses (a short address is an offset in the core's own memory)
void skerry_put_nbi_otherwise(void *dest, const void *source, size_t bytes, int pe);

// Starts a non-blocking get if get.c does not ask the owner of the data to store the data here. If a channel copies the
// data, the get is complete after skerry_wait_for_channels. If the core copies the data, the get is complete on return.
void skerry_get_by_channel(void *dest, const void *source, size_t bytes, int pe);

// Asks the owner of the data to store it here (get.c, ask).
bool skerry_ask(void *dest, const void *source, size_t bytes, int pe);

// Asks the owner of the data to store it here, and stores the end of this get to `*begun` (get_begun.c). `dest` is a short
// address. Waits until this core's previous request is complete. Returns false if this core cannot ask now.
bool skerry_begin_push(void *dest, const void *source, size_t bytes, int pe, struct skerry_begun *begun);
#endif

#endif
