// SPDX-License-Identifier: BSD-3-Clause
// Remote procedure calls, declarations for C. rpc.S has the protocol, and the same structures as offsets.
#ifndef SKERRY_MACHINE_EPIPHANY_RPC_H
#define SKERRY_MACHINE_EPIPHANY_RPC_H

#include "interrupt.h"
#include "machine.h"

// An event, which receives an answer. The owner stores `value`, then `done`.
struct skerry_rpc_event {
    _Alignas(8) uint64_t value; // result of the function: r0 and r1
    volatile uint32_t done;
};

struct skerry_rpc_call {
    _Alignas(8) uint32_t arguments[4]; // r0 to r3
    uintptr_t function;
    struct skerry_rpc_event *event; // global address of the caller's event; NULL: no answer is wanted
};

struct skerry_rpc {
    _Alignas(8) volatile uint32_t tail; // written by other cores under the lock
    volatile uint32_t head;             // written by this core
    volatile uint32_t lock;
    volatile uint32_t gate; // not 0: this core is awake, or a core is waking it
    uint64_t value;         // this and `done` are the event of a call that f_rpc waits for
    volatile uint32_t done; // how the call ended. 0: run here, 1: by the other core, 2: see direct_run.c
    uint32_t last;          // number of the core that was called last
    uint32_t depth;         // 32 times the most calls this core leaves in a ring; at most the ring's size
    uint32_t event_address;
    uint32_t sent, interrupting; // calls that went into a ring; those of them that interrupted
    uint32_t run_here;           // calls that this core ran itself, by remote access
    volatile uint32_t served;    // 32 times the calls of others that this core had run when it last slept
};
extern struct skerry_rpc skerry_rpc;

#define SKERRY_RPC_AWAKE 1u        // bit of `tail`: this core is awake
#define SKERRY_RPC_SERVES 1u       // bit of `head`: this core runs calls
#define SKERRY_RPC_ONE 32u         // one call: its share of `tail` and `head`, and its size in bytes
#define SKERRY_RPC_NO_CORE 0xffffu // value of `last`: no core

// A double word, which becomes visible to other cores all at once.
typedef uint64_t skerry_double_word __attribute__((may_alias));

// Links the ring, and the code that runs its calls.
#define SKERRY_NEEDS_SYMBOL(name) __asm__ volatile(".global " name)
#define SKERRY_NEEDS_CALLS() SKERRY_NEEDS_SYMBOL("_skerry_call")

// For symbols that only some programs link. In other programs their address is NULL.
#define SKERRY_IF_LINKED __attribute__((weak))

// Returns true if the program itself has shut the ring (rpc_hold.c).
extern uint8_t skerry_rpc_held SKERRY_IF_LINKED;
SKERRY_ALWAYS_INLINE bool skerry_rpc_is_held(void) {
    return &skerry_rpc_held && skerry_rpc_held;
}

// Returns who makes a call. 0: the program; 1: a function that runs for another core; 2: a handler.
SKERRY_ALWAYS_INLINE int skerry_rpc_level(void) {
    uint32_t handled;
    __asm__ volatile("movfs %0, ipend" : "=r"(handled));
    return handled ? 2 : (skerry_rpc.head & SKERRY_RPC_SERVES) && !skerry_rpc_is_held();
}

// The calls that thunks stored last (rpc_keep.S), one for each of the three kinds of callers.
struct skerry_kept_call {
    _Alignas(8) uint32_t arguments[4];
    uintptr_t function; // plus SKERRY_RPC_BLOCK if the second argument is a block that is sent too
};
#define SKERRY_RPC_BLOCK 1u
extern struct skerry_kept_call skerry_kept_calls[3];

SKERRY_ALWAYS_INLINE struct skerry_kept_call *skerry_kept_call(void) {
    uint32_t handled;
    __asm__ volatile("movfs %0, ipend" : "=r"(handled));
    return &skerry_kept_calls[handled ? 2 : skerry_rpc.head & 1];
}

SKERRY_ALWAYS_INLINE bool skerry_test_and_set(volatile uint32_t *word) {
    uint32_t before = 1;
    __asm__ volatile("testset %0, [%1, %2]" : "+r"(before) : "r"(word), "r"(0) : "memory", "cc");
    return before == 0;
}

SKERRY_ALWAYS_INLINE void skerry_rpc_copy_call(volatile void *to, const volatile void *from) {
    for (int i = 0; i < 3; i++) ((volatile skerry_double_word *)to)[i] = ((const volatile skerry_double_word *)from)[i];
}

// Adds a call to another PE's ring. Returns false if the ring is full. The caller must not wait for the answer of PE
// `pe` with interrupts masked.
bool skerry_rpc_push(const struct skerry_rpc_call *call, int pe);

// skerry_rpc_push_class adds a call to the ring of a class (rpc_class.c). skerry_rpc_defer_from defers the calls of
// class `first` and of all later classes: they stay in their rings. It then runs the calls that may run, and returns
// the class from which calls were deferred before.
bool skerry_rpc_push_class(const struct skerry_rpc_call *call, int pe, int class) SKERRY_IF_LINKED;
int skerry_rpc_defer_from(int first) SKERRY_IF_LINKED;

// Shuts or opens this core's ring: calls of other cores stay in it while `held` is true (rpc_hold.c).
void skerry_rpc_hold(bool held);
// Runs the calls that are in the rings: raises the user interrupt of this core. The interrupt has been taken on return,
// if it can be taken.
void skerry_rpc_look(void);

// Sends a call with its block (rpc_block.c); `push` adds the call to a ring. Returns false if the queue is full.
bool skerry_rpc_push_block(const struct skerry_rpc_call *call, int pe, int class,
                           bool (*push)(const struct skerry_rpc_call *call, int pe, int class)) SKERRY_IF_LINKED;

// Sends a call by this thread's class and policy (src/rpc/direct_choice.c), with its block if it has one. Returns
// SHMEMX_RPC_SERVED if the call was sent, SHMEMX_RPC_REFUSED, or SHMEMX_RPC_RUN_BY_CALLER if this PE must run the
// function.
int skerry_rpc_send(const struct skerry_rpc_call *call, int pe) SKERRY_IF_LINKED;
extern unsigned long skerry_rpc_refused SKERRY_IF_LINKED;

// skerry_rpc_run_here runs a call on this core by remote access. Everything that the function stored in the other
// core's memory has arrived on return. skerry_rpc_note records how a call ended (src/rpc/direct_run.c).
uint64_t skerry_rpc_run_here(const struct skerry_kept_call *call, int pe);
int skerry_rpc_note(int status);

#endif
