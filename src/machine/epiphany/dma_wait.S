// SPDX-License-Identifier: BSD-3-Clause
// Waits for the end of all transfers of the DMA channels, for skerry_quiet and skerry_fence (quiet.S). This file is
// linked only into programs that start a channel.
#include "assembly.h"

// void skerry_wait_for_channels(void): returns when both channels are idle. Changes r0, r1, r16, r17 and r24 only. Each
// polling loop fits one double word of code, so that its fetches take little memory bandwidth from the channels. A
// handler can start a channel between two polls. So the last test of both channels runs with interrupts masked.
    .section .text.skerry_wait_for_channels, "ax"
    .balign 8
    function _skerry_wait_for_channels
    mov     r16, #0x3ff
    movfs   r1, imask
    mov     r17, %low(_skerry_started)
    movt    r17, %high(_skerry_started)
    .balignw 8, 0x01a2
.Lzero:
    movfs   r0, dma0status
    lsl     r0, r0, #28
    bne     .Lzero
    movts   imask, r16
    movfs   r0, dma0status
    movfs   r24, dma1status
    orr     r0, r0, r24
    lsl     r0, r0, #28
    bne     .Lbusy              // channel 1 is busy, or a handler has started a channel
    str     r0, [r17]
    movts   imask, r1
    rts
.Lbusy:
    movts   imask, r1
    .balignw 8, 0x01a2
.Lone:
    movfs   r0, dma1status
    lsl     r0, r0, #28
    bne     .Lone
    b       .Lzero
    function_ends _skerry_wait_for_channels
