// SPDX-License-Identifier: BSD-3-Clause
// skerry_call_on_stack(stack, thread_pointer, function, argument): calls function(argument) on another stack, with another
// thread pointer. Returns when the function returns.
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
