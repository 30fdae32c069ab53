// SPDX-License-Identifier: BSD-3-Clause
// Runs the calls in this core's ring (its queue of calls), the oldest first. ../call.S explains the protocol. The
// handler of the interrupt calls skerry_rpc_serve at its end. Calls run with interrupts enabled, as if the interrupted
// program called the functions. While this core runs calls (bit 0 of `head`), a further interrupt adds a stack frame
// only for one test. The stack therefore does not grow.
#include "../ring.h"

// Only this core writes `head`, so it takes calls without the lock.
static bool take(struct skerry_rpc_call *call) {
    uint32_t head = skerry_rpc.head;
    if (skerry_rpc.tail == head) return false;
    uint32_t place = (head & (uint32_t)(uintptr_t)_skerry_rpc_mask) + SKERRY_RPC_ONE;
    skerry_rpc_copy_call(call, (const char *)&skerry_rpc - place);
    skerry_compiler_fence();
    skerry_rpc.head = head + SKERRY_RPC_ONE;
    return true;
}

// Falls asleep if the ring is empty. Returns false if the ring is not empty or if the lock is taken. A caller tests the
// ring and stores its call under the lock too. No call can therefore arrive between this function's test and its
// stores. Interrupts must be disabled, because other cores wait for the lock.
static bool fall_asleep(void) {
    if (!skerry_test_and_set(&skerry_rpc.lock)) return false;
    bool is_empty = skerry_rpc.tail == skerry_rpc.head;
    if (is_empty) {
        skerry_rpc.served += skerry_rpc.head - SKERRY_RPC_SERVES;
        skerry_rpc.tail = 0;
        skerry_rpc.head = 0;
        skerry_rpc.gate = 0;
    }
    skerry_compiler_fence();
    skerry_rpc.lock = 0;
    return is_empty;
}

void skerry_rpc_serve(void) {
    bool has_calls = skerry_rpc.tail & SKERRY_RPC_AWAKE, is_serving = skerry_rpc.head & SKERRY_RPC_SERVES;
    if (!has_calls || is_serving) return;
    skerry_rpc.head += SKERRY_RPC_SERVES;
    skerry_enable_interrupts();
    if (skerry_rpc_serve_by_class) {
        skerry_rpc_serve_by_class();
        return;
    }
    for (;;) {
        struct skerry_rpc_call call;
        while (take(&call)) skerry_rpc_run(&call);
        skerry_disable_interrupts();
        if (fall_asleep()) return;
        skerry_enable_interrupts();
    }
}
