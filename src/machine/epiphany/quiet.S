// SPDX-License-Identifier: BSD-3-Clause
// Arrived, not sent: a store is posted and nobody tells when it is there. So quiet sends a number after the data, to a word
// of its own in each PE that was written to, and reads the word back until it has the number. The stores of one core to
// another stay in order, so the data is there when the number is; and only the number's own coming is believed, not that a
// load comes behind the stores before it: it travels on another network. Nothing weaker tells: the stores of a
// neighbour's neighbour have no order with ours.
//
// The same order holds for what a DMA channel has sent, once it is idle: core and channels share the way into the network.
// So both wait for the channels first.
//
// A handler may put and be quiet anywhere in here. A mark is taken before its number is sent and set after its store
// was, so a store whose mark is taken is in front of a number of its own PE. The handler's number may be higher and come before
// ours: it is as good as ours, everything of ours was stored before it. It is the same with the word that says that a
// channel was started: taken before the channels are looked at, set after one was started.
//
// What quiet looks at lies together (epiphany.ld): skerry_started, skerry_written_outside, a mark for each PE. With nothing
// written it takes one look at 16 marks for each 16 cores of the chip.
#include "assembly.h"

#define from r2                 // where marks are loaded next
#define started r22
#define outside r23
#define passes r12
#define marks r0                // of four PEs, none of which is behind the last that is set
#define mark r1                 // its address
#define partition r3            // the address of its PE's
#define there r16
#define seen r17
#define number r24
#define echo r25                // of this PE, in any PE's memory
#define nothing r26
#define back r27

// void skerry_quiet(void)
    .section .text.skerry_quiet, "ax"
    .balign 4
    function _skerry_quiet
    mov     from, %low(_skerry_started)
    movt    from, %high(_skerry_started)
    ldrd    started, [from], #1
    ldrd    r18, [from], #1
    ldrd    r20, [from], #1
    mov     passes, %low(__skerry_mark_passes)
    sub     started, started, #0
    bne     .Lchannels
.Lpass:
    orr     r0, r18, r19
    orr     r1, r20, r21
    orr     r0, r0, r1
    bne     .Lsome
.Lnext:
    sub     passes, passes, #1
    bne     .Lmore
    sub     outside, outside, #0
    bne     .Loutside
    rts
.Lmore:
    ldrd    r18, [from], #1
    ldrd    r20, [from], #1
    b       .Lpass

.Lchannels:
    mov     back, lr
    bl      _skerry_wait_for_channels
    mov     lr, back
    b       .Lpass

// A core's reads do not overtake its writes of the same place, and what it sends off the chip stays in order (S2). A
// handler may note a place too, but not between the load and the store.
.Loutside:
    mov     r2, %low(_skerry_written_outside)
    movt    r2, %high(_skerry_written_outside)
    movfs   r16, imask
    mov     r3, #0x3ff
    movts   imask, r3
    mov     r3, #0
    ldr     r0, [r2]
    str     r3, [r2]
    movts   imask, r16
    sub     r1, r0, #0
    beq     .Lread
    ldrb    r0, [r0]
.Lread:
    rts

// The marks of 16 PEs are in r18 to r21; this deals with the four of one word.
.macro four index, word
    sub     marks, \word, #0
    beq     .Lnone\index
    add     partition, r18, #(16 * \index)
    sub     mark, from, #(16 - 4 * \index)
    bl      .Lfour
.Lnone\index:
.endm

.Lsome:
    mov     back, lr
    mov     marks, r18
    mov     r18, %low(__skerry_partitions_of_marks)
    movt    r18, %high(__skerry_partitions_of_marks)
    lsl     seen, from, #2
    add     r18, r18, seen      // the first PE's partition
    mov     r1, %low(_skerry_quiet_words)
    movt    r1, %high(_skerry_quiet_words)
    ldrd    number, [r1]        // and echo
    mov     nothing, #0
    add     number, number, #1
    str     number, [r1]
    four    0, marks
    four    1, r19
    four    2, r20
    four    3, r21
    mov     lr, back
    b       .Lnext

.Lfour:
    ldr     there, [partition], #1
    lsl     seen, marks, #31
    bgte    .Lunmarked
    strb    nothing, [mark]
    orr     there, there, echo
    str     number, [there]
.Lawait:
    ldr     seen, [there]
    sub     seen, seen, number
    blt     .Lawait
.Lunmarked:
    add     mark, mark, #1
    lsr     marks, marks, #8
    bne     .Lfour
    rts
    function_ends _skerry_quiet

// void skerry_wait_for_channels(void): returns when both are idle; changes r0 and r1 only. A loop is one double word, so that
// fetching it takes little from the channels.
    .section .text.skerry_wait_for_channels, "ax"
    .balign 8
    function _skerry_wait_for_channels
    mov     r0, %low(_skerry_started)
    movt    r0, %high(_skerry_started)
    mov     r1, #0
    str     r1, [r0]
    .balignw 8, 0x01a2
.Lzero:
    movfs   r0, dma0status
    lsl     r0, r0, #28
    bne     .Lzero
.Lone:
    movfs   r0, dma1status
    lsl     r0, r0, #28
    bne     .Lone
    rts
    function_ends _skerry_wait_for_channels
