// SPDX-License-Identifier: BSD-3-Clause
// Remote procedure calls as C sees them; rpc.S has the protocol, and the same places by number.
#ifndef SKERRY_MACHINE_EPIPHANY_RPC_H
#define SKERRY_MACHINE_EPIPHANY_RPC_H

#include "interrupt.h"
#include "machine.h"

// Where an answer comes to. The owner stores `value`, then `done`.
struct skerry_rpc_event {
    _Alignas(8) uint64_t value; // r0 and r1 of the function
    volatile uint32_t done;
};

struct skerry_rpc_call {
    _Alignas(8) uint32_t arguments[4]; // r0 to r3
    uintptr_t function;
    struct skerry_rpc_event *event; // its global address; NULL: no answer is wanted
};

struct skerry_rpc {
    _Alignas(8) volatile uint32_t tail; // other cores', under the lock
    volatile uint32_t head;             // this core's own
    volatile uint32_t lock;
    volatile uint32_t gate; // not 0: this core is awake, or being woken up
    uint64_t value;         // with the next, the event of a call that f_rpc waits for
    volatile uint32_t done; // 0: run here, 1: the other core has, 2: see direct_run.c
    uint32_t last;          // the core that was called last
    uint32_t depth;         // this core leaves no more calls than this by 32 in a ring, at most as many as are linked
    uint32_t event_address;
    uint32_t sent, interrupting; // counts of calls that went into a ring, and of those among them that interrupted
    uint32_t run_here;           // and of those that this core has run by remote access
    volatile uint32_t served;    // 32 for each call of others that this core had run when it went to sleep last
};
extern struct skerry_rpc skerry_rpc;

#define SKERRY_RPC_AWAKE 1u        // in `tail`
#define SKERRY_RPC_SERVES 1u       // in `head`
#define SKERRY_RPC_ONE 32u         // a call, in both, and its bytes
#define SKERRY_RPC_NO_CORE 0xffffu // in `last`

// A double word, of which another core sees all or nothing.
typedef uint64_t skerry_double_word __attribute__((may_alias));

// Links the ring and those who serve it.
#define SKERRY_NEEDS_SYMBOL(name) __asm__ volatile(".global " name)
#define SKERRY_NEEDS_CALLS() SKERRY_NEEDS_SYMBOL("_skerry_call")

// Of what only some programs use, and the others do not link: NULL there.
#define SKERRY_IF_LINKED __attribute__((weak))

// Whether the program itself has shut the ring (rpc_hold.c); of use in programs that do so.
extern uint8_t skerry_rpc_held SKERRY_IF_LINKED;
SKERRY_ALWAYS_INLINE bool skerry_rpc_is_held(void) {
    return &skerry_rpc_held && skerry_rpc_held;
}

// Who calls: the program, a function that is run for another core, a handler.
SKERRY_ALWAYS_INLINE int skerry_rpc_level(void) {
    uint32_t handled;
    __asm__ volatile("movfs %0, ipend" : "=r"(handled));
    return handled ? 2 : (skerry_rpc.head & SKERRY_RPC_SERVES) && !skerry_rpc_is_held();
}

// The calls that thunks have left (rpc_keep.S), by who has made them.
struct skerry_kept_call {
    _Alignas(8) uint32_t arguments[4];
    uintptr_t function; // SKERRY_RPC_BLOCK added: the second argument is a block that goes along
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

// A call for another PE's ring. False: it is full. Not for a PE that waits with interrupts masked for the answer.
bool skerry_rpc_push(const struct skerry_rpc_call *call, int pe);

// The same for the rings of other classes (rpc_class.c); of calls of class `first` and behind it, that they stay there; and to
// look at all rings again, until they have been seen to.
bool skerry_rpc_push_class(const struct skerry_rpc_call *call, int pe, int class) SKERRY_IF_LINKED;
int skerry_rpc_defer_from(int first) SKERRY_IF_LINKED;

// Whether calls of others are left in the ring (rpc_hold.c).
void skerry_rpc_hold(bool held);
// Runs what the ring has. The interrupt has been taken when this returns, if it can be.
void skerry_rpc_look(void);

// A call with its block (rpc_block.c), pushed by `push`.
bool skerry_rpc_push_block(const struct skerry_rpc_call *call, int pe, int class,
                           bool (*push)(const struct skerry_rpc_call *call, int pe, int class)) SKERRY_IF_LINKED;

// As this thread's class and policy say (direct_choice.c), and blocks too: SHMEMX_RPC_SERVED when it is on its way, _REFUSED,
// or _RUN_BY_CALLER when this PE has to run it.
int skerry_rpc_send(const struct skerry_rpc_call *call, int pe) SKERRY_IF_LINKED;
extern unsigned long skerry_rpc_refused SKERRY_IF_LINKED;

// By remote access; what the function stores there has arrived when this returns. And a note of how a call has ended (direct_run.c).
uint64_t skerry_rpc_run_here(const struct skerry_kept_call *call, int pe);
int skerry_rpc_note(int status);

#endif
