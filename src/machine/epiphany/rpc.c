// SPDX-License-Identifier: BSD-3-Clause
// The caller's side of rpc.S for whoever does not wait for the answer at once.
#include "internal.h"
#include "interrupt.h"
#include "rpc.h"

#define CALL_BYTES 32
#define AWAKE 1u
typedef uint64_t double_word __attribute__((may_alias));

// What the assembly counts on.
_Static_assert(offsetof(struct skerry_rpc, done) == 24 && offsetof(struct skerry_rpc, last) == 28, "rpc.S");
_Static_assert(offsetof(struct skerry_rpc, depth) == 32 && offsetof(struct skerry_rpc, sent) == 40, "rpc.S");
_Static_assert(offsetof(struct skerry_rpc, run_here) == 48 && sizeof(struct skerry_rpc) == 56, "rpc.S, epiphany.ld");

extern char _skerry_rpc_mask[]; // its address: of a call's place in the ring

struct skerry_kept_call skerry_kept_calls[3];

static bool test_and_set(volatile uint32_t *word) {
    uint32_t before = 1;
    __asm__ volatile("testset %0, [%1, %2]" : "+r"(before) : "r"(word), "r"(0) : "memory", "cc");
    return before == 0;
}

static void store(struct skerry_rpc *there, uint32_t tail, const struct skerry_rpc_call *call) {
    uint32_t place = (tail & (uint32_t)(uintptr_t)_skerry_rpc_mask) + CALL_BYTES;
    volatile double_word *to = (volatile double_word *)((uintptr_t)there - place);
    const double_word *from = (const double_word *)call;
    for (int i = 0; i < 3; i++) to[i] = from[i];
    there->tail = (tail | AWAKE) + CALL_BYTES;
}

bool skerry_rpc_push(const struct skerry_rpc_call *call, int pe) {
    __asm__ volatile(".global _skerry_call"); // links the ring and those who serve it
    struct skerry_rpc *there = skerry_global(&skerry_rpc, pe);
    skerry_fence();
    if (skerry_rpc.depth == 0) return false;
    for (;;) {
        uint32_t mask = skerry_mask_interrupts();
        bool wakes = test_and_set(&there->gate);
        if (wakes) {
            store(there, 0, call);
            skerry_interrupt_core(pe);
            skerry_rpc.sent++;
            skerry_rpc.interrupting++;
        }
        skerry_unmask_interrupts(mask);
        if (wakes) return true;
        mask = skerry_take_lock(&there->lock);
        uint64_t ends = *(volatile double_word *)&there->tail;
        uint32_t tail = (uint32_t)ends, head = (uint32_t)(ends >> 32);
        bool awake = tail & AWAKE, room = (int32_t)(tail - head - skerry_rpc.depth) < 0;
        if (awake && room) {
            store(there, tail, call);
            skerry_rpc.sent++;
        }
        there->lock = 0;
        skerry_unmask_interrupts(mask);
        if (awake) return room;
    }
}
