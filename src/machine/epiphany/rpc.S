// SPDX-License-Identifier: BSD-3-Clause
// Remote procedure calls (seed S1): f_rpc runs f on the core whose memory f's first argument points into.
//
// Each core has a ring of calls that wait for it. Who calls takes the ring's lock by TESTSET, reads both its ends at once,
// stores the call behind the last and the new end, and gives the lock back; all these stores go from one core to one other
// and arrive in this order. The owner takes calls from the other end without a lock: `head` is its own word, stored when
// it has the whole call in registers. A ring that looks fuller than it is does no harm.
//
// `tail` and `head` count calls from the start, 32 to each. Bit 0 of `tail`: the owner is awake, that is, it has been
// interrupted and will look at `tail` again before it sleeps. A caller sets the bit, and interrupts the owner only if it was
// not set; the owner takes it away only while it holds the lock and the ring is empty. So whoever finds it set has stored
// its call before that look, and whoever finds it clear interrupts: no call is left lying, and a core that works through its
// ring is not interrupted for more. Bit 0 of `head`: the owner serves; between two calls both bits are set, so that
// equal means empty. Modelled in test/model/rpc.pml.
//
// Whoever holds a lock keeps interrupts out until it is given back: no handler can wait for it, and a lock is held for two
// round trips at most, whatever its holder's own ring does. A call waits for its answer with interrupts on, so this core
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
#define word_run_here 3
#define word_done 6             // an event: a value of eight bytes, and whether it is there
#define word_last 7             // the other core that was called last
#define event_and_depth 4       // in double words: depth of a ring, 32 for each call; the event's global address
#define counters 5              // in double words: sent, interrupting
#define word_started 12         // skerry_started
// A call, in double words below its upper end: r0 and r1, r2 and r3, function and event
#define arguments -4
#define more_arguments -3
#define function_and_event -2

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
    ldr     r18, [own, #word_last]
    ldr     r20, [own, #word_head]
    movfs   r19, imask
    sub     r18, r18, number
    bne     .Lother
.Lcore:
    lsr     r19, r19, #9
    movfs   r18, ipend
    lsl     r20, r20, #31
    orr     r19, r19, r18
    movfs   r18, status
    orr     r19, r19, r20
    mov     r20, #2
    and     r18, r18, r20
    lsl     partition, number, #20
    orr     r19, r19, r18
    bne     .Lrun_here
    ldr     r18, [own, #word_started]
    ldrd    r26, [own, #event_and_depth]
    orr     there, own, partition
    sub     r18, r18, #0
    bne     .Lchannels
.Lsent:
    mov     r17, #0
    mov     r21, #(4 * word_lock)
    str     r17, [own, #word_done]
    mov     r25, %low(__skerry_rpc_mask)
    mov     r24, #1
.Llock:
    gid
    mov     r18, #1
    testset r18, [there, r21]
    sub     r18, r18, #0
    bne     .Llocked
    ldrd    r18, [there]        // both ends
    sub     r20, r18, r19
    sub     r20, r20, r26
    bgte    .Lfull
    and     r21, r18, r25
    sub     r21, there, r21
    mov     r26, ip
    strd    r0, [r21, #arguments]
    strd    r2, [r21, #more_arguments]
    strd    r26, [r21, #function_and_event]
    orr     r20, r18, r24
    add     r19, r20, #32
    str     r19, [there]
    sub     r20, r20, r18
    beq     .Lawake
    mov     r21, #0x042c        // ILATST
    movt    r21, #0xf
    orr     r21, r21, partition
    mov     r19, #0x200
    str     r19, [r21]
.Lawake:
    str     r17, [there, #word_lock]
    gie
    ldrd    r18, [own, #counters]
    add     r18, r18, #1
    add     r19, r19, r20
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
.Llocked:
    gie
    b       .Llock

// Not the one that was called last. This core's own memory, and external memory, are reached as well by f here.
.Lother:
    sub     r18, number, #0
    beq     .Lplain
    movfs   r18, coreid
    sub     r18, number, r18
    beq     .Lplain
    mov     r18, %low(__skerry_external_partition)
    sub     r21, number, r18
    mov     r18, %low(__skerry_external_partitions)
    sub     r21, r21, r18
    bltu    .Lplain
    str     number, [own, #word_last]
    b       .Lcore
.Lplain:
    jr      ip

// Waiting for the channels changes r0, r1, r16, r17 and r24.
.Lchannels:
    mov     r18, lr
    mov     r20, r0
    mov     r21, r1
    mov     r19, partition
    bl      _skerry_wait_for_channels
    mov     lr, r18
    mov     r0, r20
    mov     r1, r21
    mov     partition, r19
    b       .Lsent
.Lfull:
    str     r17, [there, #word_lock]
    gie

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
    str     r20, [r21]
.Larrives:
    ldr     r18, [r21]
    sub     r18, r18, r20
    blt     .Larrives
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
    strd    r2, [r0, #event_and_depth]
    rts
    function_ends _skerry_rpc_begin

// Links the other side, and the interrupt.
    .global _skerry_serve_calls
    .global _skerry_user_interrupt
