// SPDX-License-Identifier: BSD-3-Clause
// The DMA channels. A channel is started by its registers: a descriptor in memory would take as many stores and three
// fetches, and only transfers in two dimensions need one (strided.c).
//
// A transfer that only sends is done, and its channel is idle, when its last element has entered the network. From
// there it stays before everything that this core later stores to the same PE, because core and channels share the way
// into each network. A transfer that reads from elsewhere runs in message mode: its channel is idle when all answers
// have arrived. The message itself, an interrupt at the destination, does not occur if the destination is an address
// below 1 MB. If a put reads external memory, the message reaches the destination's core, which has it masked
// (start.S).
#include "assembly.h"
#include "dma.h"

#define to r0
#define from r1
#define bytes r2
#define rounds r2               // 1 round in the upper half, number of elements in the lower half
#define pe r3
#define strides r20
#define how r12
#define temp r16
#define back r21

// Jumps to `where` unless source and destination are short addresses of double words and `bytes` is between `fewest`
// and 256 KB, which is more than most cores have. If `bytes` is below `fewest`, the difference is negative and has high
// bits set too.
.macro unless_plain fewest, where
    sub     temp, bytes, #\fewest
    orr     r12, to, from
    orr     r12, r12, temp
    lsr     temp, r12, #18
    bne     \where
    lsl     temp, r12, #29
    bne     \where
.endm
.macro partition_of_pe
    mov     temp, %low(_skerry_partitions)
    movt    temp, %high(_skerry_partitions)
    lsl     r12, pe, #2
    ldr     r12, [temp, +r12]
.endm
.macro double_words
    lsr     rounds, bytes, #3
    movt    rounds, #1
    mov     strides, #8
    movt    strides, #8
.endm

// The store to CONFIG starts a channel. A handler may start a channel too, but not the same channel in the middle of
// this.
.macro start channel
    movts   dma\channel\()stride, strides
    movts   dma\channel\()count, rounds
    movts   dma\channel\()srcaddr, from
    movts   dma\channel\()dstaddr, to
    movts   dma\channel\()config, how
.endm
// Starts a channel if it is idle, else jumps to `otherwise`. Interrupts are masked, and r18 holds the mask before.
.macro start_if_idle channel, otherwise
    movfs   temp, dma\channel\()status
    lsl     temp, temp, #28
    bne     \otherwise
    start   \channel
.endm
.macro mask_interrupts
    mov     r19, #0x3ff
    movfs   r18, imask
    movts   imask, r19
.endm
// Records that a channel was started, after its start (quiet.S), and restores the mask.
.macro note_started
    movts   imask, r18
    mov     r18, %low(_skerry_started)
    movt    r18, %high(_skerry_started)
    mov     r19, #1
    str     r19, [r18]
.endm

// Links the function with which quiet waits for channels (quiet.S) into programs that start a channel.
    .global _skerry_wait_for_channels

// void skerry_put_nbi(void *dest, const void *source, size_t bytes, int pe)
    .section .text.skerry_put_nbi, "ax"
    .balign 8
    function _skerry_put_nbi
    unless_plain SKERRY_PUT_WORTH_A_CHANNEL, .Lput_otherwise
    partition_of_pe
    double_words
    orr     to, to, r12
    mov     how, #SKERRY_DMA_DOUBLE_WORDS
    mask_interrupts
    start_if_idle 0, .Lput_waits
    note_started
.Lput_mark:
    mov     temp, %low(_skerry_written)
    movt    temp, %high(_skerry_written)
    strb    r19, [temp, +pe]
    rts
.Lput_waits:
    movts   imask, r18
    mov     back, lr
    bl      _skerry_start_this
    mov     lr, back
    b       .Lput_mark
.Lput_otherwise:
    b       _skerry_put_nbi_otherwise
    function_ends _skerry_put_nbi

// void skerry_start_channel(void *dest, const void *source, uint32_t count, uint32_t strides, uint32_t config)
    .section .text.skerry_start_channel, "ax"
    .balign 4
    function _skerry_start_channel
    ldr     how, [sp, #2]
    mov     strides, r3
    function_ends _skerry_start_channel
    function _skerry_start_this
    mask_interrupts
    start_if_idle 0, .Lzero_busy
.Lstarted:
    note_started
    rts
.Lzero_busy:
    start_if_idle 1, .Lboth_busy
    b       .Lstarted
.Lboth_busy:
    movts   imask, r18
    b       _skerry_start_this
    function_ends _skerry_start_this
