// SPDX-License-Identifier: BSD-3-Clause
// f_rpc in programs that use classes, policies for full queues, or blocks: linked only into these. While a program has
// chosen a class or a policy, no core counts as the core that was called last, so every call takes the branch to here.
#include "assembly.h"

// Entered from rpc.S: f is in ip, and the arguments are where f expects them.
    .section .text.skerry_call_elsewhere, "ax"
    .balign 4
    function _skerry_call_elsewhere
    mov     r19, %low(_skerry_rpc_choice)
    movt    r19, %high(_skerry_rpc_choice)
    ldr     r19, [r19]
    sub     r19, r19, #0
    beq     _skerry_call_other
// Also entered from f_rpc of a function with a block.
    .global _skerry_call_chosen
_skerry_call_chosen:
    sub     sp, sp, #40         // frame: a double word for the called function, the call, lr
    strd    r0, [sp, #1]
    strd    r2, [sp, #2]
    str     ip, [sp, #6]
    str     lr, [sp, #8]
    add     r0, sp, #8
    bl      _skerry_rpc_call_chosen
    ldr     lr, [sp, #8]
    add     sp, sp, #40
    rts
    function_ends _skerry_call_elsewhere
