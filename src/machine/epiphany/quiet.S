// SPDX-License-Identifier: BSD-3-Clause
// skerry_quiet returns when this core's stores have arrived at their destinations. A store does not wait, and no
// hardware reports its arrival. So quiet stores a number to each PE to which this core has stored data, into a word
// that only this core writes. Then quiet loads this word until it contains the number. The model of this protocol is
// test/model/quiet.pml.
//
// Why the number is enough, and why nothing weaker is:
// * The stores of one core to another core stay in order. So when the number has arrived, the earlier data has arrived
//   too.
// * A load without a number is not enough. Loads travel on another network, and quiet does not assume that a load
//   executes after earlier stores.
// * Sent stores are not enough. A third core can learn of them by a store of another core, and stores of different
//   cores have no order.
// * A DMA channel can also send data. The core and its channels enter the network at the same point. So the channel's
//   data arrives before the number if the channel was idle when the number was sent. Therefore quiet and skerry_fence
//   first wait until the channels are idle.
//
// What quiet tests:
// * Each PE has a mark, a byte that says that this core has stored to that PE. A mark is set after the store.
// * skerry_started is not 0 if a channel was started. It is cleared with interrupts masked, and only when no channel is
//   busy.
// * A put that starts a channel also sets the mark of its destination PE. Quiet clears this mark only after it has
//   waited for the channel.
// * These words are adjacent (epiphany.ld): skerry_started, skerry_written_outside, and the marks.
//
// Numbers become 0 again after 2^32 numbers, which takes at least eight minutes. Quiet tests only whether two numbers
// are equal. So quiet can be wrong in one case only: the last number was sent to a PE exactly 2^32 numbers ago. The
// word in that PE then already contains the new number, and quiet returns too early. The probability of this error is 1
// in 2^32 each time that nothing was sent to a PE for so long.
#include "assembly.h"

#define from r2                 // address of the marks to load next
#define started r22
#define outside r23
#define passes r12
#define marks r0                // marks of up to four PEs, the first in the lowest byte
#define partition r3            // address of the partition of the PE whose mark is in the lowest byte
#define there r16
#define seen r17
#define number r24
#define echo r25                // offset, in any PE's memory, of the word to which this PE stores its numbers
#define back r27

// void skerry_quiet(void): returns when all stores of this core have arrived. The head of this file explains the
// method.
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
// Tests the marks of 16 PEs at once. So on a chip of 16 cores this one test is enough if this core has stored nothing.
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

// Waits until the store to the address in skerry_written_outside has arrived, by a load from that address. A core's
// reads do not overtake its writes of the same address, and its accesses to external memory stay in order (Coduin
// 2016). A handler can change skerry_written_outside too, so the word is loaded and cleared with interrupts masked. A
// non-blocking get also stores an address in this word. So in programs with gets this code jumps to _skerry_await_push
// (get.S).
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

// The linker includes the first function only in programs that start a channel, and the second only in programs with
// gets. In other programs the function's address is 0, and quiet does not jump to it.
    .weak   _skerry_wait_for_channels
    .weak   _skerry_await_push

// The marks of 16 PEs are in four words. This macro handles one word, the marks of four PEs. It sends the number to
// those PEs whose mark is set.
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
    // A handler can interrupt this function anywhere, and can itself put data and call quiet. So quiet clears marks and
    // chooses the next number with interrupts masked:
    // * Each store whose mark is cleared was sent before the number.
    // * No other quiet sends the same number. Without the mask, a handler could send the number that this quiet is
    //   about to choose, and then store more data. This quiet would find its number in the word although that data has
    //   not arrived.
    movfs   r0, imask
    mov     r3, #0x3ff
    movts   imask, r3
    ldr     r26, [r26]
    ldrd    number, [r1]        // loads `number` and `echo`
    ldrd    r18, [from, #-2]    // loads the marks again; a handler can have changed them
    sub     r26, r26, #0
    bne     .Lstarted           // a handler has started a channel
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
    add     r18, r18, seen      // address of the partition of the first of the 16 PEs
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
// A handler can call quiet after this quiet has sent its number. The handler's quiet sends another number to the same
// word. So if the word contains another number, the loop sends this quiet's number again.
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
