// SPDX-License-Identifier: BSD-3-Clause
// f_rpc in programs whose calls have classes, policies for full queues or blocks: linked with those only. While a thread has
// chosen something, no core is the one that was called last, so that every call comes by here.
#include "assembly.h"

// From rpc.S: f in ip, its arguments where they are.
    .section .text.skerry_call_elsewhere, "ax"
    .balign 4
    function _skerry_call_elsewhere
    mov     r19, %low(_skerry_rpc_choice)
    movt    r19, %high(_skerry_rpc_choice)
    ldr     r19, [r19]
    sub     r19, r19, #0
    beq     _skerry_call_other
// From the f_rpc of a function with a block as well.
    .global _skerry_call_chosen
_skerry_call_chosen:
    sub     sp, sp, #40         // a double word for who is called, the call, lr
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
