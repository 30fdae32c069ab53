// SPDX-License-Identifier: BSD-3-Clause
// The first code that a core executes, from its start to skerry_begin.
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

// Stops the program after a jump to address 0, for example by a null pointer: the instruction does not exist. An error
// report names this function, and ra has the caller's address.
    .section .skerry.vector.zero, "ax"
    .balign 4
    .global skerry_jump_to_0
    .type   skerry_jump_to_0, @function
skerry_jump_to_0:
    unimp
    .balign 8
    .size   skerry_jump_to_0, . - skerry_jump_to_0
