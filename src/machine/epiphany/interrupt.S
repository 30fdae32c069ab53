// SPDX-License-Identifier: BSD-3-Clause
// The user interrupt, which other cores raise by a store to this core's ILATST: first requests for data (get.c), in a few
// registers, then, if any number waits, handlers in C (interrupt.c). Linked, vector and all, only with those that need it.
//
// Nothing is lost, and one look is enough. Whoever wants something stores what it wants and then ILATST; both go from one
// core to one other on one network and arrive in this order. The latch is cleared when the handler is entered. So a wish
// that a look here has missed was stored, and its ILATST with it, after the handler was entered: the latch is set, and
// the handler will run again. A wish that was seen may raise another run, which finds nothing: harmless.
//
// A double word at sp belongs to whatever code is interrupted, and the one at its own sp to whoever is called from here.
#include "assembly.h"

#define frame 104

// r0 to r3, r12, lr, r16 to r27: what a copy may change; r44 to r47: what the loop below keeps meanwhile.
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
    strd    r0, [sp, #-1]       // at frame - 8 from now on
    movfs   r0, status          // before anything changes a flag
    sub     sp, sp, #frame
    both_ways strd
    str     r0, [sp, #20]
    str     lr, [sp, #21]
    str     r12, [sp, #22]

// Requests: a byte for each PE, which it sets; request i is a double word, see get.c. Without gets in the program there
// are none. Eight PEs a look.
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
    beq     __skerry_serve      // where no calls are linked, the next (epiphany.ld)

// Handlers may change every register that a C function may, and find the FPU as the compiler expects it: floating, to
// nearest. Interrupts of higher priority are let in; this one itself stays out until RTI.
    movfs   r2, iret
    movfs   r3, config
    mov     r0, #1
    movt    r0, #0xe
    and     r1, r3, r0          // the mode
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
    movfs   r3, config          // what else a handler has changed there stays: a timer it has started
    mov     r0, #1
    movt    r0, #0xe
    and     r2, r3, r0
    eor     r3, r3, r2
    orr     r3, r3, r1
    movts   config, r3
    add     sp, sp, #80
    b       __skerry_serve

// STATUS also has whether this core has said WAND, and the chip takes that away when a barrier is complete: to put it back
// would be to say it again. Who has said it is in the barrier's loop, where flags as of a zero mean to look again.
    .global _skerry_interrupt_done
_skerry_interrupt_done:
    ldr     r0, [sp, #20]
    ldr     lr, [sp, #21]
    ldr     r12, [sp, #22]
    both_ways ldrd
    add     sp, sp, #frame
    lsl     r1, r0, #28
    blt     .Lsaid_wand
    movts   status, r0
.Lback:
    ldrd    r0, [sp, #-1]
    rti
.Lsaid_wand:
    sub     r1, r1, r1
    b       .Lback
    function_ends _skerry_user_interrupt

    .weak   _skerry_serve_gets
    .weak   _skerry_run_handlers

// Byte n: number n waits. See interrupt.c.
    .section .bss.skerry_raised, "aw", @nobits
    .global _skerry_raised
    .balign 8
_skerry_raised:
    .skip   8
