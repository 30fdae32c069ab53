// SPDX-License-Identifier: BSD-3-Clause
// Handles f_rpc in programs that choose a class of calls (such as urgent) or a policy for full rings (queues of calls).
// Also handles f_rpc in programs that send blocks of data. Only such programs contain this file. call.S jumps here if
// the called core is not the core that was called last. While a program has chosen a class or a policy, choice.c stores
// the number of no core in the ring's word `last`. call.S then jumps here for every call.
#include "../../machine/assembly.h"

// call.S jumps here. ip holds f's address, and the arguments are in the registers in which f expects them.
    .section .text.skerry_call_elsewhere, "ax"
    .balign 4
    function _skerry_call_elsewhere
    mov     r19, %low(_skerry_rpc_choice)
    movt    r19, %high(_skerry_rpc_choice)
    ldr     r19, [r19]
    sub     r19, r19, #0
    beq     _skerry_call_other
// call_block.S jumps here, for f_rpc of a function with a block.
    .global _skerry_call_chosen
_skerry_call_chosen:
    sub     sp, sp, #40         // stack frame: a double word for the called function, then the kept call, then lr
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
