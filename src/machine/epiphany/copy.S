// SPDX-License-Identifier: BSD-3-Clause
// The copy loop of a core, for puts and all other copies: it moves double words, 8 bytes every two clocks, whatever the
// alignment of the ends.
//
// A double word is loaded in one cycle and stored in one. The loop holds four in registers, and each load is three
// instructions before its store. Each load is the second of the two instructions in a fetched double word, so a source
// in the same memory bank as the code costs no extra cycle. If source and destination have different offsets within a
// double word, the destination is still stored as double words, which are assembled from the source's words.
//
// A hardware loop runs while LC is not zero, in any code that reaches the address in LE. Only copies use it in this
// library, and each copy leaves LC, LS and LE as it found them. So a handler may copy in the middle of an interrupted
// copy, and no handler has to save these registers. Loop bodies consist of 32-bit instructions and begin at an address
// divisible by 8, and nothing jumps into or out of them.
//
// Clobbers only r0 to r3, r12 and r16 to r27: interrupt.S relies on that.
#include "assembly.h"

#define to r0
#define from r1
#define bytes r2
#define temp r3
#define lc_before r24
#define ls_before r25
#define le_before r26
#define mark r27

// Starts a hardware loop from label `first` to label `last`; temp has the number of rounds.
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
// Jumps to `where` unless bit `number` of register `of` is set.
.macro unless_set number, of, where
    lsl     temp, \of, #(31 - \number)
    bgte    \where
.endm

    .section .text.skerry_copy, "ax"
    .balign 8

// void skerry_copy(void *dest, const void *source, size_t bytes). A caller leaves the double word at sp to the callee,
// so the byte that marks a put is stored there and has no effect.
    function _skerry_copy
    mov     mark, sp
    b       _skerry_copy_and_mark
    function_ends _skerry_copy

// void skerry_put(void *dest, const void *source, size_t bytes, int pe): a copy to another PE, and then its mark in
// skerry_written. The mark is stored after the copy, because the quiet of a handler in between would clear it.
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

// A copy, and then a store of 1 to the byte at r27. Also called by get.S.
    function _skerry_copy_and_mark
    orr     r12, to, from
    lsl     temp, r12, #29
    beq     .Laligned
    eor     r12, to, from
    lsl     temp, r12, #30
    bne     .Ldifferent

// Source and destination have the same offset within a word: copies a byte, a half word and a word, as far as necessary
// and present, up to the destination's next double word.
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

// Both are aligned to a double word. The loop for blocks of 32 bytes is below, so that a few double words need few
// branches.
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

// Two double words are in registers before the loop and after it.
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

// The source is between two double words: words are loaded and double words stored, 16 bytes in a round of six cycles.
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

// Different offsets within a word: copies bytes up to the destination's next double word, or all bytes if there are
// few; then double words assembled from the source's words; then the remaining bytes.
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

// The source is at byte k of a word, k not 0. A word of the destination is the upper 4 - k bytes of one word of the
// source and the lower k bytes of the next. Both words contain bytes to copy, so neither is outside the source's words.
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
    sub     from, from, #4      // bytes of the last word are still to be copied
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
