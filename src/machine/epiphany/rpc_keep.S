// SPDX-License-Identifier: BSD-3-Clause
// What the thunk of a call that is not waited for leaves: the call, for the routine that comes next. The program, a function that
// is run for another core in between, and a handler in between have a place each.
#include "assembly.h"
    .section .text.skerry_keep_call, "ax"
    .balign 4
    function _skerry_keep_call
    mov     r16, %low(_skerry_rpc)
    movt    r16, %high(_skerry_rpc)
    ldr     r17, [r16, #1]      // head: bit 0 says that this core serves
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
