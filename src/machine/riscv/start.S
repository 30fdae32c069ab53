// SPDX-License-Identifier: BSD-3-Clause
// Contains the first code that a core executes, from its start to skerry_begin.
    .section .text.skerry_reset, "ax"
    .balign 4
    .global skerry_reset
    .type   skerry_reset, @function
skerry_reset:
    .option push
    .option norelax
    la      gp, __global_pointer$
    .option pop
    la      sp, __skerry_stack_top
    li      fp, 0               // marks the end of the call chain
    li      ra, 0
    j       skerry_begin
    .size   skerry_reset, . - skerry_reset

// A core that jumps to address 0, for example through a null pointer to a function, executes this illegal instruction.
// So the program stops. The error report shows the name of this function, and register ra has the caller's address.
    .section .skerry.vector.zero, "ax"
    .balign 4
    .global skerry_jump_to_0
    .type   skerry_jump_to_0, @function
skerry_jump_to_0:
    unimp
    .balign 8
    .size   skerry_jump_to_0, . - skerry_jump_to_0
