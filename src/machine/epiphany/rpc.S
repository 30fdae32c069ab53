// SPDX-License-Identifier: BSD-3-Clause
// Remote procedure calls (Ross and Richie 2018): f_rpc runs f on the core whose memory contains the address in f's
// first argument.
//
// The ring. Each core has a ring of calls that wait for it. While the ring is empty the core sleeps, which means that
// it runs its own program: the ring's ends are at the start, and the word `gate` is 0. A caller that sets the gate by
// TESTSET owns the ring. It stores its call at the first place, then the ring's end, and interrupts the core: one round
// trip. Other callers find the gate set and the owner awake. They load both ends at once. If the ring is not full, they
// take the ring's lock, load the ends again, and store their call after the last one, then the new end, and release the
// lock. All these stores go from one core to one other core and arrive in this order.
//
// Sleeping. `tail` and `head` count the calls since the owner woke up, 32 for each call. The owner takes calls at
// `head` without the lock: `head` is its own word, which it stores when it has the whole call in registers. Until then
// the ring looks fuller than it is, which does no harm. Bit 0 of `tail` is set while the owner is awake, and bit 0 of
// `head` while it runs calls. Between two calls both are set, so equal words mean that the ring is empty. The owner
// sets both to 0 and opens the gate only under the lock and only if the ring is empty. So a caller that holds the lock
// and finds bit 0 of `tail` set has stored its call before the owner's last look at the ring. A caller that finds it
// clear came too late, or has overtaken the caller that wakes the owner, and starts again. Therefore no call is left in
// the ring, and a core that runs the calls of its ring is not interrupted for further ones. Modelled in
// test/model/rpc.pml.
//
// Waiting. A caller that holds the lock, or that has set the gate and not yet stored its call, keeps interrupts
// disabled. So other callers wait for it for two round trips at most, whatever interrupts arrive there. A caller waits
// for its answer with interrupts enabled, so it runs calls of other cores meanwhile. If it could not do so, because it
// is in a handler, masks the user interrupt, or runs calls already, it runs f itself by remote access. It does the same
// if the ring is full. So no core ever waits for a core that waits, or for a core that must not be interrupted for a
// core that waits for it.
//
// Visibility. The caller's earlier stores to the other core's memory are there when f runs, because they were sent
// before the call, on the same way. DMA channels share the way but not the order, so the caller waits for them. f's
// stores to the caller's memory are there when f_rpc returns, because they were sent before the answer. f's stores to
// its own core's memory are there too: if f ran at the caller, a number is sent after them and read back, as quiet
// does. For stores to other places f itself must call quiet; the marks of its puts are those of the PE that ran it.
//
// The interrupted code finds all its registers and the FPU's mode unchanged. f must preserve LC, LS and LE; GCC
// generates no hardware loops.
#include "assembly.h"

// Offsets of words from _skerry_rpc (epiphany.ld). The calls lie below that address, downwards. rpc_serve.S and rpc.h
// have the same offsets.
#define word_head 1
#define word_lock 2
#define word_gate 3
#define word_done 6             // `done` of the event, whose value is 8 bytes (rpc.h); kept for shmemx_rpc_status
#define word_last 7             // number of the other core that was called last
#define word_depth 8            // depth of a ring, 32 for each call
#define depth_and_event 4       // double word: depth, and the event's global address
#define counters 5              // double word: sent, interrupting
#define word_run_here 12
#define word_started 14         // skerry_started (quiet.S), which follows _skerry_rpc
// A call, in double words below its upper end: r0 and r1, r2 and r3, function and event.
#define arguments -4
#define more_arguments -3
#define function_and_event -2
#define one_call 33             // value of `tail` with one call

#define own r23                 // _skerry_rpc
#define there r22               // address of _skerry_rpc in the other core's memory
#define number r17              // number of the other core
#define partition r16           // address of the other core's memory

    .section ".text.skerry_call", "ax"
    .balign 8
// Entered from f_rpc: f is in ip, and its arguments are where f expects them.
    function _skerry_call
    mov     own, %low(_skerry_rpc)
    movt    own, %high(_skerry_rpc)
    lsr     number, r0, #20
    ldr     r19, [own, #word_last]
    ldr     r20, [own, #word_head]
    movfs   r18, imask
    sub     r19, r19, number
    bne     _skerry_call_elsewhere // _skerry_call_other, or rpc_choice.S in programs that link it
.Lcore:
    lsr     r18, r18, #9        // the user interrupt's bit is now bit 0
    movfs   r19, ipend
    lsl     r20, r20, #31       // not 0 if this core runs calls
    ldr     r21, [own, #word_started]
    orr     r18, r18, r19
    movfs   r19, status
    orr     r18, r18, r20
    mov     r20, #2             // bit of STATUS that GID sets
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
    ldrd    r18, [there]        // both ends of the ring
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

// Another core is called than last time. If the first argument is in this core's own memory or in external memory, f
// runs here as an ordinary call.
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

// Runs f here, by remote access. f's stores to the other core's memory have arrived on return, as if f had run there
// (quiet.S).
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
    mov     r1, #0xffff         // no core was called yet
    str     r1, [r0, #word_last]
    lsl     r3, r3, #20
    add     r3, r3, r0
    add     r3, r3, #16         // the event
    strd    r2, [r0, #depth_and_event]
    mov     r2, #1              // the status before the first call is SHMEMX_RPC_SERVED
    str     r2, [r0, #word_done]
    rts
    function_ends _skerry_rpc_begin

// Links the owner's side, and the handler of the user interrupt.
    .global _skerry_serve_calls
    .global _skerry_user_interrupt
