// SPDX-License-Identifier: BSD-3-Clause
// Contains the code that each core executes first, on machines whose workers share one memory. This code uses the core's own
// memory, at address 0, as its stack. Later each worker has a stack of its own in the shared memory.
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
