// SPDX-License-Identifier: BSD-3-Clause
// Runs the remote procedure calls in this core's ring (its queue of calls), the oldest first; call.S explains the
// protocol. The handler of the user interrupt jumps here at its end (interrupt.S). This code leaves the interrupt at
// once (RTI), and enables all interrupts. It runs calls as if the interrupted program called the functions. This core
// therefore answers requests for data while a function runs, and a function can get data itself. While this core runs
// calls, a caller adds its call to the ring and does not interrupt this core.
//
// Two files include this file with a macro defined:
// * serve_newest.S (NEWEST_FIRST) runs the newest call first. This core must then take the ring's lock for each call,
//   because it changes `tail` as callers do.
// * serve_by_class.S (BY_CLASS) runs the calls that class_rings.c chooses.
#include "../../machine/assembly.h"

#ifdef NEWEST_FIRST
#define serve_calls _skerry_serve_calls_newest_first
#elif defined BY_CLASS
#define serve_calls _skerry_serve_calls_by_class
#else
#define serve_calls _skerry_serve_calls
#endif

// Offsets of the ring's words and of the parts of a call. call.S has the same values.
#define word_head 1
#define word_lock 2
#define word_gate 3
#define word_served 13
#define arguments -4
#define more_arguments -3
#define function_and_event -2
#define word_event_done 2

#define own r22
#define tail r16
#define head r17

// The stack frame contains a double word for called functions, r48 to r63, and the three words below. `frame` is its
// size in bytes. The offsets of the three words are in words.
#define frame 88
#define word_iret 18
#define word_mode 19
#define word_event 20

// Loads the call at `at`, a value of `tail` or `head`, into registers: f's arguments into r0 to r3, f's address into
// r26 and the event's address into r27. r20 holds the mask; `at` & mask is the call's offset in the ring.
.macro take at
    and     r20, \at, r20
    sub     r20, own, r20
    ldrd    r26, [r20, #function_and_event]
    ldrd    r0, [r20, #arguments]
    ldrd    r2, [r20, #more_arguments]
.endm

#ifdef BY_CLASS
// Jumps to `elsewhere` if there are urgent calls or if a class of calls is deferred. r21 becomes the address of
// skerry_rpc_rings, the words of the rings of urgent and background calls (class_rings.c).
#define ends_of_background 2    // offset in double words
#define word_limit 6
#define none 3
.macro unless_normal_only elsewhere
    mov     r21, %low(_skerry_rpc_rings)
    movt    r21, %high(_skerry_rpc_rings)
    ldrd    r26, [r21]
    ldr     r18, [r21, #word_limit]
    sub     r26, r26, r27
    bne     \elsewhere
    sub     r18, r18, #none
    bne     \elsewhere
.endm
#endif

    .section .text.skerry_serve_calls, "ax"
    .balign 8
    function serve_calls
    mov     own, %low(_skerry_rpc)
    movt    own, %high(_skerry_rpc)
    ldrd    tail, [own]
    sub     r18, tail, head
    lsl     r18, r18, #31
    beq     .Lnothing           // the ring has no call, or this core runs calls already
    sub     sp, sp, #frame
    upper_registers strd
    add     head, head, #1
    str     head, [own, #word_head]
    movfs   r18, iret
    movfs   r19, config
    mov     r20, #1
    movt    r20, #0xe
    and     r21, r19, r20       // the FPU's mode
    bne     .Lmode
.Lmode_set:
    str     r18, [sp, #word_iret]
    str     r21, [sp, #word_mode]
    mov     r20, %low(.Lrun)
    movt    r20, %high(.Lrun)
    movts   iret, r20
    rti
.Lmode:                         // sets the mode that the compiler assumes: floating point, round to nearest
    eor     r19, r19, r21
    movts   config, r19
    b       .Lmode_set
.Lnothing:
    b       _skerry_interrupt_done

#ifdef NEWEST_FIRST
.Lrun:
.Lpoll:
    gid
    mov     r18, #1
    mov     r19, #(4 * word_lock)
    testset r18, [own, r19]
    mov     r19, #0
    sub     r18, r18, #0
    bne     .Llocked
    ldrd    tail, [own]
    mov     r20, %low(__skerry_rpc_mask)
    sub     r18, tail, head
    beq     .Lsleep
    sub     tail, tail, #32
    take    tail
    str     tail, [own]
    str     r19, [own, #word_lock]
    gie
#else
#ifdef BY_CLASS
.Lrun:
    unless_normal_only .Lby_class
    b       .Lpoll
.Ltake:
#else
.Lrun:
.Ltake:
#endif
    mov     r20, %low(__skerry_rpc_mask)
    take    head
    add     head, head, #32
    str     head, [own, #word_head]
#endif
    str     r27, [sp, #word_event]
    jalr    r26
    ldr     r18, [sp, #word_event]
    mov     own, %low(_skerry_rpc)
    movt    own, %high(_skerry_rpc)
    mov     r19, #1
    sub     r20, r18, #0
    beq     .Lanswered          // no caller waits for the answer
    strd    r0, [r18]
    str     r19, [r18, #word_event_done]
.Lanswered:
#ifdef BY_CLASS
    unless_normal_only .Lby_class
#endif
#ifdef NEWEST_FIRST
    b       .Lpoll
.Llocked:
    gie
    b       .Lpoll
#else
.Lpoll:
    ldrd    tail, [own]
    sub     r18, tail, head
    bne     .Ltake

// Goes to sleep if the ring is still empty after this core has taken the lock. A caller tests the ring and stores its
// call under the lock too. No call can therefore arrive between this test and the stores below.
    gid
    mov     r18, #1
    mov     r19, #(4 * word_lock)
    testset r18, [own, r19]
    mov     r19, #0
    sub     r18, r18, #0
    bne     .Llocked
    ldrd    tail, [own]
    sub     r18, tail, head
    bne     .Lcalled
#ifdef BY_CLASS
    unless_normal_only .Lothers
    ldrd    r20, [r21, #ends_of_background]
    sub     r18, r20, r21
    bne     .Lothers
#endif
#endif
.Lsleep:
    ldr     r18, [own, #word_served]
    mov     tail, #0
    add     r18, r18, head
    sub     r18, r18, #1
    mov     head, #0
    str     r18, [own, #word_served]
    strd    tail, [own]
    str     r19, [own, #word_gate]
    str     r19, [own, #word_lock]
.Lleave:
    ldr     r18, [sp, #word_iret]
    ldr     r21, [sp, #word_mode]
    movts   iret, r18
    sub     r18, r21, #0
    bne     .Lmode_back
.Lmode_is_back:
    upper_registers ldrd
    add     sp, sp, #frame
    b       _skerry_interrupt_done // its RTI enables interrupts again
.Lmode_back:
    movfs   r19, config         // restores only the FPU's mode: a function can have started a timer by other bits
    orr     r19, r19, r21
    movts   config, r19
    b       .Lmode_is_back
#ifndef NEWEST_FIRST
#ifdef BY_CLASS
.Lby_class:                     // the function returns, with interrupts disabled, when this core is asleep or dozes
    mov     r0, %low(_skerry_rpc_serve_by_class)
    movt    r0, %high(_skerry_rpc_serve_by_class)
    jalr    r0
    b       .Lleave
.Lothers:
    str     r19, [own, #word_lock]
    gie
    b       .Lby_class
#endif
.Lcalled:
    str     r19, [own, #word_lock]
.Llocked:
    gie
    b       .Lpoll
#endif
    function_ends serve_calls
