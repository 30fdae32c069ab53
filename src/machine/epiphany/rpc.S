// SPDX-License-Identifier: BSD-3-Clause
// Remote procedure calls (Ross and Richie 2018): f_rpc runs f on the core whose memory f's first argument points into.
//
// Each core has a ring of calls that wait for it. While it has none it sleeps, which is to say that it minds its own
// program: the ring's ends are at the start, and the word `gate` is 0. Who sets it by TESTSET has the ring to itself, stores
// its call at the first place, the ring's end, and interrupts: one round trip. Others find the gate taken and the owner awake.
// They read both ends at once, and if there is room take the ring's lock, look again, and store their call behind the last,
// the new end, and the lock. All these stores go from one core to one other and arrive in this order.
//
// `tail` and `head` count calls since the owner woke up, 32 to each. The owner takes calls at `head` without a lock: that is
// its own word, stored when it has the whole call in registers. A ring that looks fuller than it is does no harm. Bit 0 of
// `tail` says that the owner is awake, bit 0 of `head` that it serves; between two calls both are set, so that equal means
// empty. Only under the lock, and when the ring is empty, the owner sets both to 0 and opens the gate. So who holds the lock
// and finds bit 0 of `tail` set has stored its call before the owner's last look; who finds it clear was late, or has
// overtaken the one who wakes the owner up, and begins again. No call is left lying, and a core that works through its
// ring is not interrupted for more. Modelled in test/model/rpc.pml.
//
// Whoever holds the lock, or has shut the gate and not yet stored its call, keeps interrupts out: what others wait for takes
// two round trips at most, whatever comes in here. A call waits for its answer with interrupts on, so this core
// serves meanwhile. Where it could not, in a handler, with the user interrupt masked, or while it serves, f is run here by
// remote access, and so it is when the ring is full. So nobody ever waits for a core that waits, or for one that may not be
// interrupted on behalf of somebody who waits for it.
//
// What the caller stored in that core's memory before is there when f runs: it went before the call, on the same way. DMA
// channels share the way but not the order, so they are waited for. What f stored in the caller's memory is there when
// f_rpc returns: it went before the answer. What f stored in its own core's memory is there; where f ran here, a number is
// sent behind it and read back, as quiet does. Other places are f's own to be quiet about; the marks of its puts are those
// of the PE that ran it.
//
// Interrupted code finds all its registers again, and the FPU's mode. LC, LS and LE are f's to keep: GCC's code has no
// hardware loops.
#include "assembly.h"

// The words at _skerry_rpc (epiphany.ld); calls lie below it, downwards. rpc_serve.S and rpc.h have them too.
#define word_head 1
#define word_lock 2
#define word_gate 3
#define word_done 6             // an event: a value of eight bytes, and whether it is there; it stays, for shmemx_rpc_status
#define word_last 7             // the other core that was called last
#define word_depth 8            // of a ring, 32 for each call
#define depth_and_event 4       // in double words; the event's global address
#define counters 5              // in double words: sent, interrupting
#define word_run_here 12
#define word_started 14         // skerry_started
// A call, in double words below its upper end: r0 and r1, r2 and r3, function and event
#define arguments -4
#define more_arguments -3
#define function_and_event -2
#define one_call 33             // `tail` with the first one

#define own r23                 // _skerry_rpc
#define there r22               // the same in the other core's memory
#define number r17              // of the other core
#define partition r16           // its memory

    .section ".text.skerry_call", "ax"
    .balign 8
// From f_rpc: f in ip, its arguments where they are.
    function _skerry_call
    mov     own, %low(_skerry_rpc)
    movt    own, %high(_skerry_rpc)
    lsr     number, r0, #20
    ldr     r19, [own, #word_last]
    ldr     r20, [own, #word_head]
    movfs   r18, imask
    sub     r19, r19, number
    bne     _skerry_call_elsewhere // to the next one, unless a program has choices (rpc_choice.S)
.Lcore:
    lsr     r18, r18, #9        // the user interrupt's bit is the last
    movfs   r19, ipend
    lsl     r20, r20, #31       // whether this core serves
    ldr     r21, [own, #word_started]
    orr     r18, r18, r19
    movfs   r19, status
    orr     r18, r18, r20
    mov     r20, #2             // GID
    and     r19, r19, r20
    lsl     partition, number, #20
    orr     r18, r18, r19
    orr     r21, r18, r21
    bne     .Lunusual
.Lusual:
    ldrd    r26, [own, #depth_and_event]
    orr     there, own, partition
    mov     r24, #0
    sub     r18, r26, #0
    beq     .Lrun_here
    str     r24, [own, #word_done]
    mov     r21, #(4 * word_gate)
    mov     r18, #1
    mov     r26, ip
    gid
    testset r18, [there, r21]
    sub     r18, r18, #0
    bne     .Lawake
    mov     r19, #one_call
    mov     r20, #0x042c        // ILATST
    movt    r20, #0xf
    strd    r0, [there, #arguments]
    strd    r2, [there, #more_arguments]
    strd    r26, [there, #function_and_event]
    orr     r20, r20, partition
    mov     r21, #0x200
    str     r19, [there]
    str     r21, [r20]
    gie
    ldrd    r18, [own, #counters]
    add     r18, r18, #1
    add     r19, r19, #1
    strd    r18, [own, #counters]
.Lwait:
    ldr     r18, [own, #word_done]
    sub     r18, r18, #0
    bne     .Ldone
    ldr     r18, [own, #word_done]
    sub     r18, r18, #0
    beq     .Lwait
.Ldone:
    ldrd    r0, [own, #2]
    rts

.Lawake:
    gie
    ldr     r25, [own, #word_depth]
    ldrd    r18, [there]        // both ends
    sub     r20, r18, r19
    sub     r20, r20, r25
    bgte    .Lrun_here
    mov     r21, #(4 * word_lock)
    gid
    mov     r18, #1
    testset r18, [there, r21]
    sub     r18, r18, #0
    bne     .Lawake
    ldrd    r18, [there]
    lsl     r20, r18, #31
    beq     .Lasleep
    sub     r20, r18, r19
    sub     r20, r20, r25
    bgte    .Lfull
    mov     r21, %low(__skerry_rpc_mask)
    and     r21, r18, r21
    sub     r21, there, r21
    strd    r0, [r21, #arguments]
    strd    r2, [r21, #more_arguments]
    strd    r26, [r21, #function_and_event]
    add     r18, r18, #32
    str     r18, [there]
    str     r24, [there, #word_lock]
    gie
    ldr     r18, [own, #(2 * counters)]
    add     r18, r18, #1
    str     r18, [own, #(2 * counters)]
    b       .Lwait
.Lasleep:
    str     r24, [there, #word_lock]
    gie
    b       .Lusual
.Lfull:
    str     r24, [there, #word_lock]
    gie
    b       .Lrun_here

// Another core than last time. This core's own memory, and external memory, are reached as well by f here.
    .weak   _skerry_call_elsewhere
    .global _skerry_call_other
_skerry_call_other:
    sub     r19, number, #0
    beq     .Lplain
    movfs   r19, coreid
    sub     r19, number, r19
    beq     .Lplain
    mov     r19, %low(__skerry_external_partition)
    sub     r21, number, r19
    mov     r19, %low(__skerry_external_partitions)
    sub     r21, r21, r19
    bltu    .Lplain
    str     number, [own, #word_last]
    b       .Lcore
.Lplain:
    jr      ip

.Lunusual:
    sub     r18, r18, #0
    bne     .Lrun_here
// Waiting for the channels changes r0, r1, r16, r17 and r24.
    mov     r18, lr
    mov     r20, r0
    mov     r21, r1
    bl      _skerry_wait_for_channels
    mov     lr, r18
    mov     r0, r20
    mov     r1, r21
    lsr     partition, r0, #20
    lsl     partition, partition, #20
    b       .Lusual

// By remote access. What f stores there has arrived when this returns, as if f had run there: see quiet.S.
.Lrun_here:
    str     partition, [sp, #1]
    str     lr, [sp], #-2
    movfs   r18, imask
    mov     r19, #0x3ff
    movts   imask, r19
    ldr     r20, [own, #word_run_here]
    add     r20, r20, #1
    str     r20, [own, #word_run_here]
    movts   imask, r18
    jalr    ip
    ldr     partition, [sp, #3]
    mov     r22, %low(_skerry_quiet_words)
    movt    r22, %high(_skerry_quiet_words)
    movfs   r18, imask
    mov     r19, #0x3ff
    movts   imask, r19
    ldrd    r20, [r22]
    add     r20, r20, #1
    str     r20, [r22]
    movts   imask, r18
    orr     r21, r21, partition
.Larrives:
    str     r20, [r21]
    ldr     r18, [r21]
    sub     r18, r18, r20
    bne     .Larrives
    ldr     lr, [sp, #2]
    add     sp, sp, #8
    rts
    function_ends _skerry_call

    .section .init_array, "aw"
    .balign 4
    .long   _skerry_rpc_begin

    .section .text.skerry_rpc_begin, "ax"
    .balign 4
    function _skerry_rpc_begin
    mov     r0, %low(_skerry_rpc)
    movt    r0, %high(_skerry_rpc)
    mov     r2, %low(__skerry_rpc_bytes)
    movfs   r3, coreid
    mov     r1, #0xffff         // none
    str     r1, [r0, #word_last]
    lsl     r3, r3, #20
    add     r3, r3, r0
    add     r3, r3, #16         // the event
    strd    r2, [r0, #depth_and_event]
    mov     r2, #1              // no call has ended badly
    str     r2, [r0, #word_done]
    rts
    function_ends _skerry_rpc_begin

// Links the other side, and the interrupt.
    .global _skerry_serve_calls
    .global _skerry_user_interrupt
