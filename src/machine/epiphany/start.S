// SPDX-License-Identifier: BSD-3-Clause
// Contains the first code that a core executes, from its reset to skerry_begin. A chip starts by a jump to the vector
// of interrupt 0, and a simulator can begin directly at _skerry_reset. After a reset, the core is in the state in which
// it handles interrupt 0. The instruction RTI ends the interrupt.
#include "assembly.h"
#include "../chip/layout.h"

    .section .skerry.vector.reset, "ax"
    b       _skerry_reset

    .section .text.skerry_reset, "ax"
    .balign 4
    function _skerry_reset
    movfs   r0, ipend           // bit 0 is clear if the program jumped to address 0, for example by a null pointer
    mov     r1, #1
    and     r0, r0, r1
    beq     _skerry_jump_to_0
    mov     sp, %low(__skerry_stack_top)
    movt    sp, %high(__skerry_stack_top)
#ifdef SKERRY_SMALL_CORE_HEADER // OpenMP: all addresses on the stack are global, so that they can be passed to other cores
    movfs   r0, coreid
    lsl     r0, r0, #SKERRY_PARTITION_SHIFT
    orr     sp, sp, r0
#endif
    mov     r0, #0
    sub     r0, r0, #1
    movts   ctimer0, r0
    mov     r0, #0x10
    movts   config, r0          // floating point, round to nearest, timer 0 counts cycles (ticks.c)
    mov     r0, #0x128
    movts   imask, r0           // masks three interrupts: end of timer 0, DMA messages (dma.S), WAND (machine.h)
    mov     r0, %low(.Lcalm)
    movt    r0, %high(.Lcalm)
    movts   iret, r0
    rti
.Lcalm:
    mov     fp, #0              // marks the end of the call chain
    mov     lr, #0
    b       _skerry_begin
    function_ends _skerry_reset

    // A core that jumps to address 0, for example through a null pointer to a function, executes this illegal
    // instruction. So the program stops. The error report shows the name of this function, and register lr has the
    // caller's address. Without this function the program would begin again and repeat its error for ever.
    .section .text.skerry_jump_to_0, "ax"
    .balign 4
    function _skerry_jump_to_0
    unimpl
    function_ends _skerry_jump_to_0
