// SPDX-License-Identifier: BSD-3-Clause
// Handles the user interrupt. Another core raises this interrupt by a store to this core's register ILATST, which sets
// a bit of the interrupt latch. Only programs that need the handler contain it and its vector. The handler does three
// things, in this order:
// 1. It answers requests for data (get.c), for which it saves only a few registers.
// 2. It runs handlers in C if an interrupt with a number is raised (interrupt.c).
// 3. It runs remote procedure calls (src/rpc/ring/serve.S).
//
// Why no request is lost, although the handler tests each word of requests only once:
// * A core stores its request and then ILATST. Both stores go from one core to one other core on one network, so they
//   arrive in this order.
// * The core clears the latch when it enters the handler.
// * Suppose that a test here misses a request. Then the request, and after it its store to ILATST, arrived after the
//   handler was entered. So the latch is set again, and the handler runs again.
// * Suppose that a test here finds a request. Its store to ILATST can still arrive after the handler was entered. Then
//   the handler runs once more and finds nothing, which does no harm.
//
// A function is allowed to use the double word at sp that its caller left free. So this handler does not change the
// double word at the interrupted code's sp. It leaves the double word at its own sp free for the functions that it
// calls.
#include "assembly.h"

#define frame 104

// Saves (access = strd) or restores (access = ldrd) the registers that change when the handler answers a request. A
// copy changes r0 to r3, r12, lr and r16 to r27, and get.S also changes r44 to r47. Other instructions of the handler
// save r0, r1, r12 and lr.
.macro both_ways access
    \access r2, [sp, #1]
    \access r16, [sp, #2]
    \access r18, [sp, #3]
    \access r20, [sp, #4]
    \access r22, [sp, #5]
    \access r24, [sp, #6]
    \access r26, [sp, #7]
    \access r44, [sp, #8]
    \access r46, [sp, #9]
.endm

    .section ivt_entry_swi, "ax"
    b       _skerry_user_interrupt

    .section .text.skerry_user_interrupt, "ax"
    .balign 4
    function _skerry_user_interrupt
    strd    r0, [sp, #-1]       // lies at sp + frame - 8 after the next change of sp
    movfs   r0, status          // saved before an instruction changes a flag
    sub     sp, sp, #frame
    both_ways strd
    str     r0, [sp, #20]
    str     lr, [sp, #21]
    str     r12, [sp, #22]

// Answers requests for data (get.S). A program without gets does not contain _skerry_serve_gets. There the symbol is 0.
    mov     r0, %low(_skerry_serve_gets)
    movt    r0, %high(_skerry_serve_gets)
    sub     r1, r0, #0
    beq     .Lnumbers
    jalr    r0
.Lnumbers:
    mov     r0, %low(_skerry_raised)
    movt    r0, %high(_skerry_raised)
    ldrd    r0, [r0]
    orr     r0, r0, r1
    // Skips the handlers in C if no interrupt with a number is raised. In programs without remote calls, the symbol
    // __skerry_after_handlers is _skerry_interrupt_done (epiphany.ld).
    beq     __skerry_after_handlers

// Runs handlers in C. Such a handler can change every register that a C function is allowed to change. So this code
// saves all of these registers that are not saved yet. The handler expects the FPU in the mode that the compiler
// assumes: floating point, round to nearest. Interrupts of higher priority are enabled while handlers run. The user
// interrupt stays disabled until the instruction RTI, which ends it.
    movfs   r2, iret
    movfs   r3, config
    mov     r0, #1
    movt    r0, #0xe
    and     r1, r3, r0          // the FPU's mode
    eor     r0, r3, r1
    movts   config, r0
    sub     sp, sp, #80
    upper_registers strd
    str     r2, [sp, #18]
    str     r1, [sp, #19]
    gie
    mov     r0, %low(_skerry_run_handlers)
    movt    r0, %high(_skerry_run_handlers)
    sub     r1, r0, #0
    beq     .Lnobody
    jalr    r0
.Lnobody:
    gid
    ldr     r2, [sp, #18]
    ldr     r1, [sp, #19]
    movts   iret, r2
    upper_registers ldrd
    movfs   r3, config          // restores only the FPU's mode: a handler can have started a timer by other bits
    mov     r0, #1
    movt    r0, #0xe
    and     r2, r3, r0
    eor     r3, r3, r2
    orr     r3, r3, r1
    movts   config, r3
    add     sp, sp, #80
    b       __skerry_after_handlers

// Restores the registers and STATUS, and returns from the interrupt.
    .global _skerry_interrupt_done
_skerry_interrupt_done:
    ldr     r0, [sp, #20]
    ldr     lr, [sp, #21]
    ldr     r12, [sp, #22]
    both_ways ldrd
    add     sp, sp, #frame
    // Bit 3 of STATUS says that this core has executed WAND, the instruction of the chip's barrier. The chip clears
    // this bit when the barrier is complete. If the saved STATUS has this bit, this code does not store STATUS:
    // * A store of the saved STATUS with the bit would be another WAND.
    // * A store of the saved STATUS without the bit would cancel the core's own WAND.
    lsl     r1, r0, #28
    blt     .Lsaid_wand
    movts   status, r0
.Lback:
    ldrd    r0, [sp, #-1]
    rti
// Executes two additions whose results give the flags their saved values. The interrupted code needs its flags. It is
// the loop of the barrier (machine.h), or a function that another core has called while this core waits in that loop.
// The flag BV and the sticky flags are not restored: no branch tests BV, and the sticky flags stay set.
.Lsaid_wand:                    // interrupts are disabled, so no other code uses the memory below sp
    strd    r2, [sp, #-2]
    lsr     r1, r0, #4          // AZ, AN, AC, AV are now bits 0 to 3
    mov     r2, #15
    and     r1, r1, r2
    lsl     r1, r1, #1
    mov     r2, %low(.Loperands)
    movt    r2, %high(.Loperands)
    ldrh    r3, [r2, +r1]
    lsl     r2, r3, #24
    lsr     r3, r3, #8
    lsl     r3, r3, #24
    lsr     r1, r0, #8          // BZ, BN are now bits 0 and 1
    mov     r0, #3
    and     r1, r1, r0
    lsl     r1, r1, #3
    mov     r0, #0x0040         // bytes 0 to 3: upper byte of 2.0 (no flag), 0 (BZ), -2.0 (BN), not used (BZ and BN)
    movt    r0, #0x00c0
    lsr     r0, r0, r1
    lsl     r0, r0, #24         // a number with these properties, as a floating-point number and as an integer
    mov     r1, #0
    fadd    r0, r0, r1          // sets BZ and BN in both modes of the FPU
    add     r2, r2, r3
    ldrd    r2, [sp, #-2]
    b       .Lback

// For each combination of the flags AZ, AN, AC and AV: the upper bytes of two operands whose addition sets exactly
// these flags. No instruction sets all flags of a combination with the comment "never", for example AZ and AN.
    .balign 4
.Loperands:
    .byte   1, 1                // none
    .byte   0, 0                // AZ
    .byte   0x80, 1             // AN
    .byte   0, 0                // never
    .byte   0xff, 2             // AC
    .byte   0xff, 1             // AC, AZ
    .byte   0xff, 0xff          // AC, AN
    .byte   0, 0, 1, 1, 0, 0    // never
    .byte   0x7f, 1             // AV, AN
    .byte   0, 0                // never
    .byte   0x81, 0x80          // AV, AC
    .byte   0x80, 0x80          // AV, AC, AZ
    .byte   0, 0, 0, 0          // never
    function_ends _skerry_user_interrupt

    .weak   _skerry_serve_gets
    .weak   _skerry_run_handlers

// skerry_raised: byte n is 1 while the interrupt with number n is raised (interrupt.c).
    .section .bss.skerry_raised, "aw", @nobits
    .global _skerry_raised
    .balign 8
_skerry_raised:
    .skip   8
