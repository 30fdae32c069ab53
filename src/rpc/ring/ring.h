// SPDX-License-Identifier: BSD-3-Clause
// Declares the structures and functions of remote procedure calls for C. call.S explains the protocol. The assembly of
// this folder accesses the fields of these structures by numeric offsets.
#ifndef SKERRY_RPC_RING_RING_H
#define SKERRY_RPC_RING_RING_H

#include "../../machine/call.h"

#include <shmemx.h>

// An event: the words of a caller that receive the answer of a call. The core that ran the call stores `results` and
// then `done`.
struct skerry_rpc_event {
    struct skerry_results results;
    volatile uint32_t done;
};

struct skerry_rpc_call {
    struct skerry_arguments arguments;
    uintptr_t function;
    struct skerry_rpc_event *event; // global address of the caller's event; NULL: no answer is wanted
};

// The words of a core's ring (its queue of calls), and the words that the core uses as a caller. call.S explains tail,
// head, lock and gate.
struct skerry_rpc {
    _Alignas(8) volatile uint32_t tail; // where the next call is added; its writer holds the lock or has set the gate
    volatile uint32_t head;             // where the next call is taken; only this core writes it
    volatile uint32_t lock;
    volatile uint32_t gate; // not 0: this core is awake, or a core is waking it
    uint64_t value;         // `value` and `done` are the event of the call that f_rpc waits for
    volatile uint32_t done; // says which core ran the call. 0: this core, 1: the other core, 2: status.c has the status
    uint32_t last;          // number of the core that was called last
    uint32_t depth;         // SKERRY_RPC_ONE times the number of calls up to which this core fills another core's ring
    uint32_t event_address;
    uint32_t sent, interrupting; // calls added to other cores' rings; calls among `sent` that interrupted the core
    uint32_t run_here;           // calls to other cores that this core ran itself
    // SKERRY_RPC_ONE times the number of calls of other cores that this core had run when it last went to sleep.
    volatile uint32_t served;
};
extern struct skerry_rpc skerry_rpc;

#define SKERRY_RPC_AWAKE 1u  // bit of `tail`: this core is awake
#define SKERRY_RPC_SERVES 1u // bit of `head`: this core runs calls
// The number that one call adds to `tail` and `head`. The number is also the distance of two calls in a ring, in bytes
// (src/config).
#define SKERRY_RPC_ONE (sizeof(struct skerry_rpc_call) > 32 ? 128u : 32u)
_Static_assert(sizeof(struct skerry_rpc_call) <= SKERRY_RPC_ONE, "a call fits into its place");
#define SKERRY_RPC_NO_CORE 0xffffu // value of `last`: no core

// The address of this symbol is a mask: `tail` & mask, or `head` & mask, is the offset of a call in the ring, in bytes.
extern char _skerry_rpc_mask[] SKERRY_SYMBOL("__skerry_rpc_mask");

// Two words that are loaded or stored at the same time.
typedef uint64_t skerry_two_words __attribute__((may_alias));

// Makes the linker add the ring, and the code that runs its calls, to the program. Used in a function: only programs
// that contain this function get them.
#define SKERRY_NEEDS_CALLS() SKERRY_NEEDS_SYMBOL("skerry_call")

// Returns true if this core's program has shut the ring (hold.c). Calls of other cores then stay in the ring.
extern uint8_t skerry_rpc_held SKERRY_IF_LINKED;
SKERRY_ALWAYS_INLINE bool skerry_rpc_is_held(void) {
    return &skerry_rpc_held && skerry_rpc_held;
}

// Returns a number that says which code runs on this core now: 0 for the program, 1 for a function that another core
// has called, 2 for a handler.
SKERRY_ALWAYS_INLINE int skerry_rpc_level(void) {
    return skerry_in_handler() ? 2 : (skerry_rpc.head & SKERRY_RPC_SERVES) && !skerry_rpc_is_held();
}

// A call that a thunk skerry_keep_f has stored (keep.S). A thunk is the program's code for a call of f. A library
// routine sends the call. skerry_kept_calls has one element for the program, one for functions that another core has
// called, and one for handlers.
struct skerry_kept_call {
    struct skerry_arguments arguments;
    uintptr_t function; // address, plus SKERRY_RPC_BLOCK if the second argument is a block that is sent with the call
};
#define SKERRY_RPC_BLOCK 1u
extern struct skerry_kept_call skerry_kept_calls[3];

SKERRY_ALWAYS_INLINE struct skerry_kept_call *skerry_kept_call(void) {
    return &skerry_kept_calls[skerry_in_handler() ? 2 : skerry_rpc.head & 1];
}

// Copies a structure whose size is a multiple of 8, to or from any core's memory.
SKERRY_ALWAYS_INLINE void skerry_rpc_copy(volatile void *to, const volatile void *from, size_t bytes) {
#if !SKERRY_CALL_ASSEMBLY // a loop takes three times as long
#pragma GCC unroll 16
#endif
    for (size_t i = 0; i < bytes / 8; i++)
        ((volatile skerry_double_word *)to)[i] = ((const volatile skerry_double_word *)from)[i];
}

SKERRY_ALWAYS_INLINE void skerry_rpc_copy_call(volatile void *to, const volatile void *from) {
    skerry_rpc_copy(to, from, sizeof(struct skerry_rpc_call));
}

// Runs a call that another core has sent, and stores the answer at the caller.
SKERRY_ALWAYS_INLINE void skerry_rpc_run(const struct skerry_rpc_call *call) {
    struct skerry_results results;
    skerry_apply_arguments(call->function, &call->arguments, &results);
    if (!call->event) return;
    skerry_rpc_copy(&call->event->results, &results, sizeof results);
    skerry_compiler_fence();
    call->event->done = 1;
}

// Adds a call to the ring (the queue of calls) of PE `pe`. Returns false if the ring is full. The caller must not wait
// for the answer while it masks interrupts: it could not run calls of other cores meanwhile, and two such cores could
// wait for each other.
bool skerry_rpc_push(const struct skerry_rpc_call *call, int pe);

// skerry_rpc_push_class adds a call to the ring of a class: urgent, normal or background (class_rings.c). It returns
// false if the ring is full. skerry_rpc_defer_from defers the calls of class `first` and of all later classes: they
// stay in their rings. Then it runs the calls that are not deferred. It returns the first class that was deferred
// before.
bool skerry_rpc_push_class(const struct skerry_rpc_call *call, int pe, int class) SKERRY_IF_LINKED;
int skerry_rpc_defer_from(int first) SKERRY_IF_LINKED;

// Shuts or opens this core's ring. While `held` is true, calls of other cores stay in the ring (hold.c).
void skerry_rpc_hold(bool held);

// Sends a call together with its block of data (block.c). `push` is the function that adds the call to a ring. Returns
// false if the ring or the memory for blocks is full.
bool skerry_rpc_push_block(const struct skerry_rpc_call *call, int pe, int class,
                           bool (*push)(const struct skerry_rpc_call *call, int pe, int class)) SKERRY_IF_LINKED;

// Sends a call, and its block if it has one. Uses the class and the policy for full rings that this PE has chosen
// (choice.c). Returns one of three values:
// * SHMEMX_RPC_SERVED: the call was sent.
// * SHMEMX_RPC_REFUSED: the ring was full and the policy is to refuse.
// * SHMEMX_RPC_RUN_BY_CALLER: this PE must run the function itself.
int skerry_rpc_send(const struct skerry_rpc_call *call, int pe) SKERRY_IF_LINKED;
extern unsigned long skerry_rpc_refused SKERRY_IF_LINKED;

// Sends a call. If the program has chosen a class or a policy for full rings, uses them. Returns the status of the
// call, as skerry_rpc_send does.
SKERRY_ALWAYS_INLINE int skerry_rpc_send_or_push(const struct skerry_rpc_call *call, int pe) {
    if (skerry_rpc_send) return skerry_rpc_send(call, pe);
    return skerry_rpc_push(call, pe) ? SHMEMX_RPC_SERVED : SHMEMX_RPC_RUN_BY_CALLER;
}

// Makes a call and waits for its end (waiting.c). Stores the function's results in *results.
void skerry_rpc_call(const struct skerry_kept_call *kept, struct skerry_results *results);

// Runs the calls in this core's ring (portable/serve.c).
void skerry_rpc_serve(void);

// Runs the calls of all classes, in programs that choose classes of calls (class_rings.c).
void skerry_rpc_serve_by_class(void) SKERRY_IF_LINKED;

// skerry_rpc_run_here runs a call for PE `pe` on this core. When it returns, everything that the function stored in
// that PE's memory has arrived there. skerry_rpc_note records the status of a call, and returns the status (status.c).
void skerry_rpc_run_here(const struct skerry_kept_call *call, int pe, struct skerry_results *results);
int skerry_rpc_note(int status);

#endif
