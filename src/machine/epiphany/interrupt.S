// SPDX-License-Identifier: BSD-3-Clause
// Handler of the user interrupt, which other cores raise by a store to this core's ILATST. It first answers requests
// for data (get.c), in a few registers, and then runs handlers in C if a number is raised (interrupt.c). The handler
// and its vector are linked only into programs that need them.
//
// No request is lost, and one test of the words is enough. A core that wants something stores its request and then
// ILATST. Both go from one core to one other core on one network, so they arrive in this order. The latch is cleared
// when the handler is entered. So a request that a test here has missed was stored after the handler was entered, and
// its ILATST too: the latch is set again, and the handler will run again. A request that was seen may cause another
// run, which finds nothing and does no harm.
//
// The double word at sp belongs to the interrupted code, and the double word at this handler's own sp to the functions
// that it calls.
#include "assembly.h"

#define frame 104

// Saves or restores the registers that a copy may change, r0 to r3, r12, lr and r16 to r27 (some of them are saved
// below), and r44 to r47, which the loop of get.S uses.
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
    strd    r0, [sp, #-1]       // this is at frame - 8 after the next change of sp
    movfs   r0, status          // saved before an instruction changes a flag
    sub     sp, sp, #frame
    both_ways strd
    str     r0, [sp, #20]
    str     lr, [sp, #21]
    str     r12, [sp, #22]

// Answers requests for data: each PE sets one byte, and request i is a double word (get.c). Eight PEs are tested at
// once. In a program without gets the function is not linked.
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
    beq     __skerry_serve      // _skerry_interrupt_done if no calls are linked (epiphany.ld)

// Handlers may change every register that a C function may change, and expect the FPU in the mode that the compiler
// assumes: floating point, round to nearest. Interrupts of higher priority are enabled; this interrupt stays disabled
// until RTI.
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
    movfs   r3, config          // other changes by a handler, as of a timer that it started, are kept
    mov     r0, #1
    movt    r0, #0xe
    and     r2, r3, r0
    eor     r3, r3, r2
    orr     r3, r3, r1
    movts   config, r3
    add     sp, sp, #80
    b       __skerry_serve

// Restores the registers and returns. STATUS also has a bit that says that this core has executed WAND, and the chip
// clears this bit when a barrier is complete. To restore the bit would be to execute WAND again. So if the saved STATUS
// has this bit, STATUS is not restored. The interrupted code is then in the barrier's loop (machine.h), where a set
// zero flag means "poll again", so the flags are set as by a result of zero.
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

// Byte n is 1 while number n is raised (interrupt.c).
    .section .bss.skerry_raised, "aw", @nobits
    .global _skerry_raised
    .balign 8
_skerry_raised:
    .skip   8
