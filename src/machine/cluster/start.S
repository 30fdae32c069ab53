// SPDX-License-Identifier: BSD-3-Clause
// Contains the code that each core executes first. This code uses the core's own memory, at address 0, as its stack. Later
// the core calls the functions of its worker on a stack in the shared memory.
    .section .text.start, "ax"
    .globl  _start
    .type   _start, @function
_start:
    .option push
    .option norelax
    la      gp, __global_pointer$
    .option pop
    la      sp, __skerry_local_bytes
    li      tp, 0
    li      s0, 0               // marks the end of the call chain
    li      ra, 0
    j       skerry_begin
    .size   _start, . - _start

// skerry_call_on_stack(stack, thread_pointer, function, argument)
    .text
    .globl  skerry_call_on_stack
    .type   skerry_call_on_stack, @function
skerry_call_on_stack:
    addi    sp, sp, -16
    sw      ra, 12(sp)
    sw      s0, 8(sp)
    sw      tp, 4(sp)
    mv      s0, sp
    mv      sp, a0
    mv      tp, a1
    mv      a0, a3
    jalr    a2
    mv      sp, s0
    lw      tp, 4(sp)
    lw      s0, 8(sp)
    lw      ra, 12(sp)
    addi    sp, sp, 16
    ret
    .size   skerry_call_on_stack, . - skerry_call_on_stack
