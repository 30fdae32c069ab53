// SPDX-License-Identifier: BSD-3-Clause
// Remote procedure calls (Ross and Richie 2018): f_rpc runs f on the core whose memory contains the address in f's
// first argument. Each core, the owner, has a ring of calls: a circular queue in its memory, in which calls from other
// cores wait. An owner is asleep while its ring is empty: it runs its own program. docs/design/chip-calls.md describes
// the design. test/model/rpc.pml is a model of the protocol.
//
// The words of a ring:
//     tail  number of calls that were added since the owner woke up, times 32. Bit 0 is set while the owner is awake.
//     head  number of calls that the owner has taken, times 32. Bit 0 is set while the owner runs calls. Only the owner
//           writes `head`, so it takes calls without the lock. It stores the new `head` when it has the whole call in
//           registers. Until then the ring looks fuller than it is, which does no harm.
//     gate  not 0 while the owner is awake, and while a core wakes it.
//     lock  held by a core that adds a call while the owner is awake. An owner that goes to sleep also holds it.
//
// How a caller adds a call:
// * The caller sets the gate by TESTSET, the chip's atomic test-and-set. If the gate was 0, the owner is asleep and its
//   ring is empty. The caller stores its call at the first place, then the tail, and interrupts the owner. It waits
//   only for the answer of TESTSET: one round trip.
// * If the gate was set, the owner is awake, or another core is waking it. The caller loads both ends of the ring by
//   one instruction. If the ring is full, the caller runs f itself. If not, it takes the lock and loads the ends again.
//   Then it stores its call after the last call, stores the new tail, and releases the lock.
// * All these stores go from one core to one other core and arrive in this order.
//
// Why no call is left in the ring, and an owner that runs calls is not interrupted again:
// * The owner goes to sleep only while it holds the lock and the ring is empty. Between two calls both bits 0 are set,
//   so the ring is empty if `tail` and `head` are equal. The owner then sets `tail`, `head` and `gate` to 0.
// * A caller that holds the lock and finds bit 0 of `tail` set stores its call. The owner tests the ring again before
//   it sleeps.
// * A caller that finds bit 0 of `tail` clear starts again: the owner is asleep, or another caller is waking it and has
//   not yet stored the tail.
//
// Why no core waits for ever:
// * A caller disables interrupts while it holds the lock, and after it has set the gate until its call is stored. Other
//   callers therefore wait for it for at most two round trips.
// * A caller waits for its answer with interrupts enabled, and runs calls of other cores meanwhile.
// * A caller cannot run them in a handler, with the user interrupt masked, or while it runs calls. Such a caller runs f
//   itself, by loads and stores to the other core's memory. A core therefore never waits for a core that itself waits
//   and cannot answer.
//
// Which stores are visible:
// * f sees the caller's earlier stores to the other core's memory: the caller sent them before the call, over the same
//   route. Transfers of DMA channels have no order with stores, so the caller first waits until its channels are idle.
// * When f_rpc returns, f's stores to the caller's memory have arrived, because they were sent before the answer. f's
//   stores to the memory of the called core have arrived too (.Lrun_here).
// * After stores to other PEs f itself must call quiet. Only the core that ran f has a record of these stores
//   (quiet.S).
//
// The program that a call interrupts finds all its registers and the FPU's mode unchanged. f must preserve the
// registers of the hardware loop (LC, LS and LE), which code that GCC compiles does not use.
#include "../../machine/assembly.h"

// Offsets of the ring's words from the symbol _skerry_rpc. The unit of an offset is a word of 4 bytes, or a double word
// where the comment says so. The first call lies directly below _skerry_rpc, and the others below it
// (epiphany_memory.ld). serve.S and ring.h have the same offsets.
#define word_head 1
#define word_lock 2
#define word_gate 3
#define word_done 6             // `done` of the event (ring.h), after 8 bytes of value; read by shmemx_rpc_status too
#define word_last 7             // number of the other core that was called last
#define word_depth 8            // number of calls to which this core fills a ring, times 32
#define depth_and_event 4       // double word: depth, and the event's global address
#define counters 5              // double word: sent, interrupting
#define word_run_here 12
#define word_started 14         // skerry_started (quiet.S), which follows _skerry_rpc
// Offsets of the parts of a call, in double words from the call's upper end: r0 and r1, r2 and r3, function and event.
#define arguments -4
#define more_arguments -3
#define function_and_event -2
#define one_call 33             // value of `tail` with one call: 32 for the call, and bit 0 (the owner is awake)

#define own r23                 // _skerry_rpc
#define there r22               // address of _skerry_rpc in the other core's memory
#define number r17              // number of the other core
#define partition r16           // address of the other core's memory

    .section ".text.skerry_call", "ax"
    .balign 8
// Calls f on the core that owns the first argument, and returns f's result. The thunk f_rpc (the program's code for a
// call of f, call.h) jumps here. ip holds f's address, and the arguments are in the registers in which f expects them.
    function _skerry_call
    mov     own, %low(_skerry_rpc)
    movt    own, %high(_skerry_rpc)
    lsr     number, r0, #20
    ldr     r19, [own, #word_last]
    ldr     r20, [own, #word_head]
    movfs   r18, imask
    sub     r19, r19, number
    bne     _skerry_call_elsewhere // _skerry_call_other, or call_chosen.S in programs that link it
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
    bne     .Lslow_path
.Lfast_path:
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
    mov     r20, #0x042c        // offset of the register ILATST, which raises an interrupt
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
    b       .Lfast_path
.Lfull:
    str     r24, [there, #word_lock]
    gie
    b       .Lrun_here

    .weak   _skerry_call_elsewhere
    .global _skerry_call_other
// Reached if f's first argument is not in the memory of the core that was called last. Finds the core whose memory
// contains the argument:
// * It is this core itself, or the argument is in external memory. This core runs f as an ordinary call (.Lplain).
// * It is another core. The code stores the core's number in word_last, and calls that core (.Lcore).
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

.Lslow_path:
    sub     r18, r18, #0
    bne     .Lrun_here
// A DMA channel is possibly busy. Waits until all channels are idle. The called function changes r0, r1, r16
// (partition), r17 (number), r24 and lr. This code saves r0, r1 and lr before the call, and computes `partition` again
// after it.
    mov     r18, lr
    mov     r20, r0
    mov     r21, r1
    bl      _skerry_wait_for_channels
    mov     lr, r18
    mov     r0, r20
    mov     r1, r21
    lsr     partition, r0, #20
    lsl     partition, partition, #20
    b       .Lfast_path

// The caller runs f itself, by loads and stores to the other core's memory. f's stores to that memory have arrived on
// return, as if f had run on the other core: this code sends a number after them and reads it back, as quiet does
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

// Initialises the words that this core uses as a caller. Runs before main, because its address is in .init_array.
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
    add     r3, r3, #16         // global address of the event
    strd    r2, [r0, #depth_and_event]
    mov     r2, #1              // the status before the first call is SHMEMX_RPC_SERVED
    str     r2, [r0, #word_done]
    rts
    function_ends _skerry_rpc_begin

// Makes the linker add the code that runs calls (serve.S), and the handler of the user interrupt.
    .global _skerry_serve_calls
    .global _skerry_user_interrupt
