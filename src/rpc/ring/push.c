// SPDX-License-Identifier: BSD-3-Clause
// Adds a remote procedure call to another core's ring (its queue of calls, call.S). Used by callers that do not wait
// for the answer at once.
#include "ring.h"

// call.S and epiphany_memory.ld use these offsets as numbers.
_Static_assert(offsetof(struct skerry_rpc, done) == 24 && offsetof(struct skerry_rpc, last) == 28, "call.S");
_Static_assert(offsetof(struct skerry_rpc, depth) == 32 && offsetof(struct skerry_rpc, sent) == 40, "call.S");
_Static_assert(offsetof(struct skerry_rpc, run_here) == 48 && sizeof(struct skerry_rpc) == 56,
               "call.S, epiphany_memory.ld");

struct skerry_kept_call skerry_kept_calls[3];

// Stores a call after the last call in another core's ring, and then the ring's new tail. This core must have set the
// word `gate` of the ring or have taken its lock. No other core then adds a call at the same time.
static void store(struct skerry_rpc *there, uint32_t tail, const struct skerry_rpc_call *call) {
    uint32_t place = (tail & (uint32_t)(uintptr_t)_skerry_rpc_mask) + SKERRY_RPC_ONE;
    skerry_rpc_copy_call((void *)((uintptr_t)there - place), call);
    there->tail = (tail | SKERRY_RPC_AWAKE) + SKERRY_RPC_ONE;
}

bool skerry_rpc_push(const struct skerry_rpc_call *call, int pe) {
    SKERRY_NEEDS_CALLS();
    struct skerry_rpc *there = skerry_global(&skerry_rpc, pe);
    skerry_fence();
    if (skerry_rpc.depth == 0) return false;
    for (;;) {
        uint32_t mask = skerry_mask_interrupts();
        bool wakes = skerry_test_and_set(&there->gate);
        if (wakes) {
            store(there, 0, call);
            skerry_interrupt_core(pe);
            skerry_rpc.sent++;
            skerry_rpc.interrupting++;
        }
        skerry_unmask_interrupts(mask);
        if (wakes) return true;
        mask = skerry_take_lock(&there->lock);
        uint64_t ends = SKERRY_LOAD_ACQUIRE((const skerry_two_words *)(uintptr_t)&there->tail);
        uint32_t tail = (uint32_t)ends, head = (uint32_t)(ends >> 32);
        bool awake = tail & SKERRY_RPC_AWAKE, room = (int32_t)(tail - head - skerry_rpc.depth) < 0;
        if (awake && room) {
            store(there, tail, call);
            skerry_rpc.sent++;
        }
        there->lock = 0;
        skerry_unmask_interrupts(mask);
        if (awake) return room;
    }
}
