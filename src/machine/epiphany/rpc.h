// SPDX-License-Identifier: BSD-3-Clause
// Remote procedure calls as C sees them; rpc.S has the protocol, and the same places by number.
#ifndef SKERRY_MACHINE_EPIPHANY_RPC_H
#define SKERRY_MACHINE_EPIPHANY_RPC_H

#include "machine.h"

// Where an answer comes to. The owner stores `value`, then `done`.
struct skerry_rpc_event {
    _Alignas(8) uint64_t value; // r0 and r1 of the function
    volatile uint32_t done;
};

struct skerry_rpc_call {
    _Alignas(8) uint32_t arguments[4]; // r0 to r3
    void (*function)(void);
    struct skerry_rpc_event *event; // its global address; NULL: no answer is wanted
};

struct skerry_rpc {
    _Alignas(8) volatile uint32_t tail; // other cores', under the lock
    volatile uint32_t head;             // this core's own
    volatile uint32_t lock;
    volatile uint32_t gate; // not 0: this core is awake, or being woken up
    uint64_t value;         // with the next, the event of a call that f_rpc waits for
    volatile uint32_t done;
    uint32_t last;  // the core that was called last
    uint32_t depth; // this core leaves no more calls than this by 32 in a ring, at most as many as are linked
    uint32_t event_address;
    uint32_t sent, interrupting; // counts of calls that went into a ring, and of those among them that interrupted
    uint32_t run_here;           // and of those that this core has run by remote access
    uint32_t served;             // 32 for each call of others that this core had run when it went to sleep last
};
extern struct skerry_rpc skerry_rpc;

// The calls that thunks have left, by who has made them (rpc_keep.S): the program, a function that is run for another
// core, a handler.
struct skerry_kept_call {
    _Alignas(8) uint32_t arguments[4];
    void (*function)(void);
};
extern struct skerry_kept_call skerry_kept_calls[3];

SKERRY_HOT struct skerry_kept_call *skerry_kept_call(void) {
    uint32_t handled;
    __asm__ volatile("movfs %0, ipend" : "=r"(handled));
    return &skerry_kept_calls[handled ? 2 : skerry_rpc.head & 1];
}

// A call for another PE's ring. False: it is full. Not for a PE that waits with interrupts masked for the answer.
bool skerry_rpc_push(const struct skerry_rpc_call *call, int pe);

#endif
