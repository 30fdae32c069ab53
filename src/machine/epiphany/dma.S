// SPDX-License-Identifier: BSD-3-Clause
// Starts the two DMA channels of this core, by stores to their registers. A channel can also read the values of its
// registers from a descriptor in memory. A descriptor is slower: the core needs as many stores to write it, and the
// channel needs three loads to read it. So only transfers in two dimensions, which need a descriptor, use one
// (strided.c).
//
// When a channel is idle, its data has arrived, or will arrive in time:
// * A transfer from this core's memory to another core's memory ends when its last element has entered the network. The
//   core and its channels enter each network at the same point. So the network delivers this element before all later
//   stores of this core to the same PE.
// * A transfer that reads other memory runs in message mode. Then the channel is idle only when all data has arrived.
//
// Message mode also sends a message at the end of a transfer, which is an interrupt at the destination's core:
// * A get has a short address (below 1 MB) as destination. In this case no message is sent.
// * A put that reads external memory has a global address as destination. Its message reaches the destination's core,
//   which masks this interrupt (start.S).
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

// Jumps to `where` if one of these conditions does not hold:
// * Source and destination are short addresses (addresses in the core's own memory), divisible by 8.
// * `bytes` is at least `fewest` and less than 256 KB.
//
// One test of the upper bits checks the sizes. A negative bytes - fewest has upper bits, and so has a number of 256 KB
// or more. The test also rejects short addresses of 256 KB or more, but most cores have less memory.
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

// Sets a channel's registers. The last of them, CONFIG, starts the channel. The caller has masked interrupts, because a
// handler could otherwise start the same channel between two of these instructions.
.macro start channel
    movts   dma\channel\()stride, strides
    movts   dma\channel\()count, rounds
    movts   dma\channel\()srcaddr, from
    movts   dma\channel\()dstaddr, to
    movts   dma\channel\()config, how
.endm
// Starts a channel if it is idle. If not, jumps to `otherwise`. The caller has masked interrupts by mask_interrupts,
// which keeps the previous mask in r18.
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
// Restores the interrupt mask from r18, and then sets skerry_started to 1, so that quiet waits for the channels
// (quiet.S).
.macro note_started
    movts   imask, r18
    mov     r18, %low(_skerry_started)
    movt    r18, %high(_skerry_started)
    mov     r19, #1
    str     r19, [r18]
.endm

// Makes the linker add skerry_wait_for_channels to every program that starts a channel. In such a program quiet must
// wait for the channels (quiet.S).
    .global _skerry_wait_for_channels

// void skerry_put_nbi(void *dest, const void *source, size_t bytes, int pe): starts a non-blocking put. This is the
// fast path, for double words at short addresses (addresses in this core's memory). skerry_put_nbi_otherwise (nbi.c)
// handles all other cases.
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

// void skerry_start_channel(void *dest, const void *source, uint32_t count, uint32_t strides, uint32_t config): starts
// an idle channel (dma.h). If both channels are busy, waits until one of them is idle.
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
