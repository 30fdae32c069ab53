// SPDX-License-Identifier: BSD-3-Clause
// The end of what the DMA channels do; quiet.S has the order in which it matters. In programs that start a channel.
#include "assembly.h"

// void skerry_wait_for_channels(void): returns when both are idle; changes r0, r1, r16, r17 and r24 only. A loop is one double
// word, so that fetching it takes little from the channels. What decides is the look without interrupts at both.
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
    bne     .Lbusy              // the other one, or one that a handler has started
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
