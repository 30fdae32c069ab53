// SPDX-License-Identifier: BSD-3-Clause
// Copies bytes by the core, for puts and all other copies. If source and destination have the same offset within a
// double word (8 bytes), the loop copies a double word every two cycles. The ends need not be aligned. If the offsets
// differ, this code makes double words from the source's words and stores double words.
//
// How the loop reaches this speed:
// * The core loads a double word in one cycle and stores a double word in one cycle.
// * The loop keeps four double words in registers. Each load is three instructions before the store of its value.
// * The core fetches two instructions at a time, and each load is the second of the two. So a source in the same memory
//   bank as the code costs no extra cycle.
//
// Rules for the core's hardware loop:
// * While the loop counter LC is not zero, the core jumps from the address in register LE back to the address in
//   register LS. This is true for all code, also in a handler.
// * In this library only copies use the hardware loop, and each copy restores LC, LS and LE at its end. So a handler
//   can copy while it interrupts another copy, and no handler must save these registers.
// * Loop bodies consist of 32-bit instructions and begin at an address divisible by 8. No jump leads into or out of
//   them.
//
// The code of this file changes only r0 to r3, r12 and r16 to r27. The handler in interrupt.S saves only these
// registers before it copies.
#include "assembly.h"

#define to r0
#define from r1
#define bytes r2
#define temp r3
#define lc_before r24
#define ls_before r25
#define le_before r26
#define mark r27

// Starts a hardware loop from label `first` to label `last`. `temp` contains the number of iterations.
.macro loop_begins first, last
    movfs   lc_before, lc
    movfs   ls_before, ls
    movfs   le_before, le
    mov     r12, %low(\first)
    movt    r12, %high(\first)
    movts   ls, r12
    mov     r12, %low(\last)
    movt    r12, %high(\last)
    movts   le, r12
    movts   lc, temp
.endm
.macro loop_ended
    movts   ls, ls_before
    movts   le, le_before
    movts   lc, lc_before
.endm
// Jumps to `where` if bit `number` of register `of` is 0.
.macro unless_set number, of, where
    lsl     temp, \of, #(31 - \number)
    bgte    \where
.endm

    .section .text.skerry_copy, "ax"
    .balign 8

// void skerry_copy(void *dest, const void *source, size_t bytes): copies. The shared code below always stores a byte of
// 1 at the address `mark`. For skerry_put this address is a mark, which says that this core has stored to a PE
// (quiet.S). skerry_copy sets no mark, so it passes sp as the address. This does no harm, because a called function is
// allowed to change the double word at sp.
    function _skerry_copy
    mov     mark, sp
    b       _skerry_copy_and_mark
    function_ends _skerry_copy

// void skerry_put(void *dest, const void *source, size_t bytes, int pe): copies to PE `pe`, and then stores that PE's
// mark in skerry_written. The mark (a byte of 1) makes the next call of quiet wait for the copy (quiet.S). The mark
// must be stored after the copy. If it were stored before, a handler that interrupts the copy and calls quiet would
// clear the mark before all data is sent.
    function _skerry_put
    mov     r16, %low(_skerry_partitions)
    movt    r16, %high(_skerry_partitions)
    lsl     r12, r3, #2
    ldr     r16, [r16, +r12]
    mov     mark, %low(_skerry_written)
    movt    mark, %high(_skerry_written)
    add     mark, mark, r3
    lsl     to, to, #12
    lsr     to, to, #12
    orr     to, to, r16
    function_ends _skerry_put

// Copies, and then stores 1 to the byte at the address `mark` (r27). get.S calls this function too.
    function _skerry_copy_and_mark
    orr     r12, to, from
    lsl     temp, r12, #29
    beq     .Laligned
    eor     r12, to, from
    lsl     temp, r12, #30
    bne     .Ldifferent

// Source and destination have the same offset within a word. The first instructions copy at most a byte, a half word
// and a word, until the destination is aligned to a double word. They copy at most `bytes` bytes.
    unless_set 0, to, .Lhead_half
    sub     r12, bytes, #1
    bltu    .Ldone
    mov     bytes, r12
    ldrb    r16, [from], #1
    strb    r16, [to], #1
.Lhead_half:
    unless_set 1, to, .Lhead_word
    sub     r12, bytes, #2
    bltu    .Ltail_byte
    mov     bytes, r12
    ldrh    r16, [from], #1
    strh    r16, [to], #1
.Lhead_word:
    unless_set 2, to, .Lhead_done
    sub     r12, bytes, #4
    bltu    .Ltail_half
    mov     bytes, r12
    ldr     r16, [from], #1
    str     r16, [to], #1
.Lhead_done:
    lsl     temp, from, #29
    bne     .Lwords

// Source and destination are aligned to a double word. The code for less than 32 bytes comes first, so that a short
// copy takes few branches. The loop for blocks of 32 bytes is below.
.Laligned:
    lsr     temp, bytes, #5
    bne     .Lblocks
.Ltail_16:
    unless_set 4, bytes, .Ltail_8
    ldrd    r16, [from], #1
    ldrd    r18, [from], #1
    strd    r16, [to], #1
    strd    r18, [to], #1
.Ltail_8:
    unless_set 3, bytes, .Ltail_word
    ldrd    r16, [from], #1
    lsl     temp, bytes, #29
    strd    r16, [to], #1
    bne     .Ltail_word
.Ldone:
    mov     temp, #1
    strb    temp, [mark]
    rts
.Ltail_word:
    unless_set 2, bytes, .Ltail_half
    ldr     r16, [from], #1
    str     r16, [to], #1
.Ltail_half:
    unless_set 1, bytes, .Ltail_byte
    ldrh    r16, [from], #1
    strh    r16, [to], #1
.Ltail_byte:
    unless_set 0, bytes, .Ldone
    ldrb    r16, [from]
    mov     temp, #1
    strb    r16, [to]
    strb    temp, [mark]
    rts

// Copies blocks of 32 bytes. Before an iteration ends, it loads the first two double words of the next block. The last
// block has no next block, so it is copied after the loop.
.Lblocks:
    ldrd    r20, [from], #1
    ldrd    r22, [from], #1
    sub     temp, temp, #1
    beq     .Llast_block
    loop_begins .Lblock, .Lblock_end
    .balignw 8, 0x01a2
.Lblock:
    strd    r20, [to], #1
    ldrd    r16, [from], #1
    strd    r22, [to], #1
    ldrd    r18, [from], #1
    strd    r16, [to], #1
    ldrd    r20, [from], #1
    strd    r18, [to], #1
.Lblock_end:
    ldrd    r22, [from], #1
    loop_ended
.Llast_block:
    strd    r20, [to], #1
    ldrd    r16, [from], #1
    strd    r22, [to], #1
    ldrd    r18, [from], #1
    strd    r16, [to], #1
    lsl     temp, bytes, #27
    strd    r18, [to], #1
    bne     .Ltail_16
    b       .Ldone

// The destination is aligned to a double word, and the source to a word. The loop loads words and stores double words:
// 16 bytes in each iteration, which takes six cycles.
.Lwords:
    lsr     temp, bytes, #4
    beq     .Lwords_8
    loop_begins .Lword, .Lword_end
    .balignw 8, 0x01a2
.Lword:
    ldr     r16, [from], #1
    ldr     r17, [from], #1
    ldr     r18, [from], #1
    ldr     r19, [from], #1
    strd    r16, [to], #1
.Lword_end:
    strd    r18, [to], #1
    loop_ended
.Lwords_8:
    unless_set 3, bytes, .Ltail_word
    ldr     r16, [from], #1
    ldr     r17, [from], #1
    strd    r16, [to], #1
    b       .Ltail_word

// Source and destination have different offsets within a word. Less than 16 bytes are copied byte by byte. More bytes
// are copied in three steps:
// 1. The code below copies bytes until the destination is aligned to a double word.
// 2. The code at .Lshifted makes double words from the source's words and stores them.
// 3. The code at .Lbytes copies the remaining bytes.
.Ldifferent:
    sub     r12, bytes, #16
    bltu    .Lbytes
    mov     r12, #0
    sub     r12, r12, to
    lsl     temp, r12, #29
    beq     .Lshifted
    lsr     temp, temp, #29
    sub     bytes, bytes, temp
.Lhead_byte:
    ldrb    r16, [from], #1
    sub     temp, temp, #1
    strb    r16, [to], #1
    bne     .Lhead_byte

// The source begins at byte k of a word, and k is not 0. Each word for the destination has two parts: the upper 4 - k
// bytes of one source word, and the lower k bytes of the next source word. Every source word that this loop loads
// contains bytes to copy, so the loop loads nothing beyond the source.
.Lshifted:
    lsr     temp, bytes, #3
    beq     .Lbytes
    loop_begins .Lshift, .Lshift_end
    lsl     r16, from, #30
    lsr     r16, r16, #30
    sub     from, from, r16
    lsl     temp, r16, #3
    mov     r12, #32
    sub     r12, r12, temp
    lsl     bytes, bytes, #29
    lsr     bytes, bytes, #29
    ldr     r16, [from], #1
    .balignw 8, 0x01a2
.Lshift:
    ldr     r17, [from], #1
    lsr     r18, r16, temp
    ldr     r16, [from], #1
    lsl     r20, r17, r12
    lsr     r19, r17, temp
    orr     r18, r18, r20
    lsl     r21, r16, r12
    orr     r19, r19, r21
.Lshift_end:
    strd    r18, [to], #1
    loop_ended
    lsr     temp, temp, #3
    add     from, from, temp
    sub     from, from, #4      // some bytes of the last loaded word are still to be copied
.Lbytes:
    sub     bytes, bytes, #0
    beq     .Ldone
.Lbyte:
    ldrb    r16, [from], #1
    sub     bytes, bytes, #1
    strb    r16, [to], #1
    bne     .Lbyte
    b       .Ldone
    function_ends _skerry_copy_and_mark
