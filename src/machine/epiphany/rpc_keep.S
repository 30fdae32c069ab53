// SPDX-License-Identifier: BSD-3-Clause
// The thunk of a call that the caller does not wait for jumps here. It stores the call, for the library routine that
// the caller calls next. The program, a function that runs for another core, and a handler have a place each, because
// each may interrupt the one before between the thunk and the routine.
#include "assembly.h"
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
