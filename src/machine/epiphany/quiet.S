// SPDX-License-Identifier: BSD-3-Clause
// skerry_quiet returns when this core's stores have arrived, not only been sent. A store does not wait, and no hardware
// reports its arrival. So after the data quiet stores a number to a word of its own in each PE that was written to, and
// loads the word until it contains the number. The stores of one core to another stay in order, so the data is there
// when the number is. Only the number's own arrival is relied on. A load is not assumed to execute after the stores
// before it, because it travels on another network. Nothing weaker is sufficient: this core's stores have no order with
// the stores of other cores, by which third cores may learn of them.
//
// The same order holds for the data that a DMA channel has sent, once the channel is idle, because core and channels
// share the way into the network. So quiet and skerry_fence wait for the channels first.
//
// A handler may put, and may call quiet, anywhere in this function. A mark is set after its store. Marks are cleared
// and a number is counted with interrupts masked, so a store whose mark is cleared is before that number, which no
// other quiet sends. Otherwise a handler in between could send numbers that are counted again, for stores that come
// after them. A handler may also have sent a number of its own since this number was sent. So a quiet that finds
// another number than its own sends its own again. Hence only equality counts, and numbers may wrap round. They do so
// after 2^32 numbers, in at least eight minutes. A PE whose last number was sent exactly 2^32 numbers ago would be
// believed too early. The chance is 1 in 2^32 each time that a PE is not written to for so long.
//
// skerry_started, which says that a channel was started, is cleared with interrupts masked and only when no channel is
// busy. So a quiet that clears the mark of data that a channel is sending waits for the channel first. Modelled in
// test/model/quiet.pml.
//
// The words that quiet tests are adjacent (epiphany.ld): skerry_started, skerry_written_outside, and one mark for each
// PE. If nothing was written, quiet tests 16 marks at once, once for each 16 cores of the chip.
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
#define echo r25                // address of this PE's word in any PE's memory
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

// Waits for the address in skerry_written_outside: loads from it. A core's reads do not overtake its writes of the same
// address, and its accesses to external memory stay in order (Coduin 2016). A handler may note an address too, so the
// word is loaded and cleared with interrupts masked. A non-blocking get notes an address as well (get.c): in programs
// with gets, get.S has the end of this function.
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

// A program that never starts a channel, or never gets, does not contain these functions and does not wait in them.
    .weak   _skerry_wait_for_channels
    .weak   _skerry_await_push

// Sends the number to the marked PEs among the four of one word. The marks of 16 PEs are in r18 to r21.
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
    ldrd    number, [r1]        // loads echo too
    ldrd    r18, [from, #-2]    // loads the marks again; a handler may have changed them
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
