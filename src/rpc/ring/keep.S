// SPDX-License-Identifier: BSD-3-Clause
// Stores a call in skerry_kept_calls. A thunk skerry_keep_f (the program's code for a call of f) jumps here if the
// caller does not wait for the answer. The library routine that the caller calls next sends the stored call. Between
// the thunk and that routine, a function that another core has called can interrupt the program. A handler can
// interrupt both. skerry_kept_calls therefore has three elements: for the program, for such functions, and for
// handlers.
#include "../../machine/assembly.h"
    .section .text.skerry_keep_call, "ax"
    .balign 4
    function _skerry_keep_call
    mov     r16, %low(_skerry_rpc)
    movt    r16, %high(_skerry_rpc)
    ldr     r17, [r16, #1]      // head: bit 0 is set while this core runs calls
    movfs   r18, ipend
    mov     r16, %low(_skerry_kept_calls)
    movt    r16, %high(_skerry_kept_calls)
    lsl     r17, r17, #31
    beq     .Lprogram
    add     r16, r16, #24
.Lprogram:
    sub     r18, r18, #0
    beq     .Lstore
    mov     r16, %low(_skerry_kept_calls + 48)
    movt    r16, %high(_skerry_kept_calls + 48)
.Lstore:
    strd    r0, [r16]
    strd    r2, [r16, #1]
    str     ip, [r16, #4]
    rts
    function_ends _skerry_keep_call
