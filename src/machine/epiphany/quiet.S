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
// A handler may put and be quiet anywhere in here. A mark is set after its store, and marks are taken and a number counted
// without interrupts: so a store whose mark is taken is in front of that number, which nobody else sends. Were a handler let in
// between, it could send numbers that are counted again, for stores that come behind them. A handler may have sent one of its own since:
// who finds another than its own sends its own again. So only equality counts, and numbers may wrap round, after 2^32 of them in
// eight minutes at the least: a PE that had its last number exactly so many ago would be believed too soon, which has a chance of
// 1 in 2^32 each time that a PE is left alone for so long. The word that says that a channel was started is taken away, without
// interrupts, when none is busy: whoever takes a mark of what a channel is sending waits for the channel first.
// Modelled in test/model/quiet.pml.
//
// What quiet looks at lies together (epiphany.ld): skerry_started, skerry_written_outside, a mark for each PE. With nothing
// written it takes one look at 16 marks for each 16 cores of the chip.
#include "assembly.h"

#define from r2                 // where marks are loaded next
#define started r22
#define outside r23
#define passes r12
#define marks r0                // of four PEs, none of which is behind the last that is set
#define partition r3            // the address of its PE's
#define there r16
#define seen r17
#define number r24
#define echo r25                // of this PE, in any PE's memory
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

// A core's reads do not overtake its writes of the same place, and what it sends off the chip stays in order (Coduin 2016). A
// handler may note a place too, but not between the load and the store. A get that is completed later notes a place as well
// (get.c): where there are gets, the end is theirs.
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
    mov     r1, %low(_skerry_await_push)
    movt    r1, %high(_skerry_await_push)
    sub     r3, r1, #0
    beq     .Lquiet
    jr      r1
.Lquiet:
    rts

// Without anything that starts a channel in the program none is waited for, and the code for it is not there.
    .weak   _skerry_wait_for_channels
    .weak   _skerry_await_push

// The marks of 16 PEs are in r18 to r21; this deals with the four of one word.
.macro four index, word
    sub     marks, \word, #0
    beq     .Lnone\index
    add     partition, r18, #(16 * \index)
    bl      .Lfour
.Lnone\index:
.endm

.Lsome:
    mov     back, lr
.Ltake:
    mov     r1, %low(_skerry_quiet_words)
    movt    r1, %high(_skerry_quiet_words)
    mov     r26, %low(_skerry_started)
    movt    r26, %high(_skerry_started)
    movfs   r0, imask
    mov     r3, #0x3ff
    movts   imask, r3
    ldr     r26, [r26]
    ldrd    number, [r1]        // and echo
    ldrd    r18, [from, #-2]    // perhaps more than before, or none
    sub     r26, r26, #0
    bne     .Lstarted           // by a handler
    ldrd    r20, [from, #-1]
    mov     r16, #0
    mov     r17, #0
    add     number, number, #1
    strd    r16, [from, #-2]
    strd    r16, [from, #-1]
    str     number, [r1]
    movts   imask, r0
    mov     marks, r18
    mov     r18, %low(__skerry_partitions_of_marks)
    movt    r18, %high(__skerry_partitions_of_marks)
    lsl     seen, from, #2
    add     r18, r18, seen      // the first PE's partition
    four    0, marks
    four    1, r19
    four    2, r20
    four    3, r21
    mov     lr, back
    b       .Lnext
.Lstarted:
    movts   imask, r0
    bl      _skerry_wait_for_channels
    b       .Ltake

.Lfour:
    ldr     there, [partition], #1
    lsl     seen, marks, #31
    bgte    .Lunmarked
    orr     there, there, echo
.Lawait:
    str     number, [there]
    ldr     seen, [there]
    sub     seen, seen, number
    bne     .Lawait
.Lunmarked:
    lsr     marks, marks, #8
    bne     .Lfour
    rts
    function_ends _skerry_quiet
