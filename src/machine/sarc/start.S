// SPDX-License-Identifier: BSD-3-Clause
// Contains the first code that each core runs. This code sets the stack pointer and the thread pointer to global
// addresses. A global address has two parts. The first is the address of the core's own memory, which the core reads
// from a register. The second is an offset that is the same in each core.
    .section .text.start, "ax"
    .balign 4
    .globl  _start
    .type   _start, @function
_start:
    .option push
    .option norelax
    la      gp, __global_pointer$
    .option pop
    lui     t0, 0xf0
    lw      a1, 0x18(t0)        // SKERRY_PLACE_REGISTER
    la      sp, __skerry_stack_top
    or      sp, sp, a1
    la      tp, skerry_tls
    or      tp, tp, a1
    mv      a0, tp
    li      s0, 0               // marks the end of the call chain
    li      ra, 0
    j       skerry_begin
    .size   _start, . - _start

// A core that jumps to address 0, for example through a null pointer to a function, runs this illegal instruction. So
// the program stops. The error report shows the name of this function, and register ra has the address of the caller.
    .section .text.zero, "ax"
    .balign 4
    .globl  skerry_jump_to_0
    .type   skerry_jump_to_0, @function
skerry_jump_to_0:
    unimp
    .balign 8
    .size   skerry_jump_to_0, . - skerry_jump_to_0
