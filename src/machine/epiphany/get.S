// SPDX-License-Identifier: BSD-3-Clause
// Answers gets. The handler of the user interrupt (interrupt.S) calls this code on the core that owns the data (get.c).
// For each request, this core copies the data to the requester's memory, and then sets the requester's flag skerry_got.
// This code stores to other cores but never loads from them, so it waits for no other core.
//
// How a request is handed over:
// * PE i sets byte i of skerry_wanted after it has stored its request.
// * Only this core clears the byte, before it answers.
// * PE i makes no other request before it has the answer.
//
// This code changes the registers that a copy changes (copy.S), and r44 to r47. interrupt.S has saved all of them.
#include "assembly.h"
    .section .text.skerry_serve_gets, "ax"
    .balign 4
    function _skerry_serve_gets
    mov     r45, %low(_skerry_wanted)
    movt    r45, %high(_skerry_wanted)
    mov     r0, %low(_skerry_facts)
    movt    r0, %high(_skerry_facts)
    ldr     r0, [r0, #1]        // number of PEs
    mov     r46, lr
    mov     r44, r45
    add     r47, r45, r0
.Llook:
    ldrd    r0, [r44]
    mov     r2, r44
    orr     r3, r0, r1
    bne     .Lfind
    add     r44, r44, #8
    sub     r3, r44, r47
    bltu    .Llook
    jr      r46

// On entry r0 and r1 contain eight bytes that were loaded from the address in r2. Sets r2 to the address of the first
// of these bytes that is not 0.
.Lfind:
    sub     r3, r0, #0
    bne     .Lin_word
    mov     r0, r1
    add     r2, r2, #4
.Lin_word:
    lsl     r3, r0, #16
    bne     .Lin_half
    lsr     r0, r0, #16
    add     r2, r2, #2
.Lin_half:
    lsl     r3, r0, #24
    bne     .Lfound
    add     r2, r2, #1
.Lfound:
    mov     r16, %low(_skerry_requests)
    movt    r16, %high(_skerry_requests)
    mov     r18, %low(_skerry_partitions)
    movt    r18, %high(_skerry_partitions)
    sub     r3, r2, r45
    lsl     r12, r3, #3
    ldrd    r16, [r16, +r12]
    lsl     r12, r3, #2
    ldr     r18, [r18, +r12]
    mov     r3, #0
    strb    r3, [r2]
    mov     r27, %low(_skerry_got)
    movt    r27, %high(_skerry_got)
    orr     r27, r27, r18

// Unpacks the request, which get.c describes, from r16 and r17:
//     r16  lower 20 bits: the source.       Upper 12 bits: the lower 12 bits of the size.
//     r17  lower 20 bits: the destination.  Upper 12 bits: the upper 12 bits of the size.
    lsl     r1, r16, #12
    lsr     r1, r1, #12
    lsl     r0, r17, #12
    lsr     r0, r0, #12
    orr     r0, r0, r18
    lsr     r2, r16, #20
    lsr     r3, r17, #20
    lsl     r3, r3, #12
    orr     r2, r2, r3
    bl      _skerry_copy_and_mark
    b       .Llook
    function_ends _skerry_serve_gets

// Waits for the data of a non-blocking get: until skerry_got is 1. In programs with gets, quiet jumps to this code at
// its end if skerry_written_outside contains an address. A non-blocking get stores the address of skerry_got there if
// the word is empty (get.c). On entry r2 holds the address of skerry_written_outside, and r16 the value of IMASK.
//
// A PE that cannot be interrupted, for example because it runs a handler, must not wait here. Reason: it could not
// answer requests during the wait, and the owner of the data could wait in the same way. Such a PE stores the address
// of skerry_got in skerry_written_outside again (.Lnote_again). So the program's next call of quiet waits.
    .section .text.skerry_await_push, "ax"
    .balign 4
    function _skerry_await_push
    mov     r1, %low(_skerry_got)
    movt    r1, %high(_skerry_got)
    movfs   r0, ipend
    sub     r0, r0, #0
    bne     .Lnote_again
    movfs   r0, status
    lsl     r0, r0, #8          // moves the bit "interrupts disabled" to the user interrupt's place in the mask
    orr     r0, r0, r16
    lsl     r0, r0, #22
    blt     .Lnote_again
.Lawait_push:
    ldrb    r0, [r1]
    sub     r0, r0, #0
    beq     .Lawait_push
    rts
.Lnote_again:
    ldrb    r0, [r1]
    sub     r0, r0, #0
    bne     .Lpushed
    str     r1, [r2]
.Lpushed:
    rts
    function_ends _skerry_await_push
