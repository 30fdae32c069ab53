// SPDX-License-Identifier: BSD-3-Clause
// Classes of calls: beside the ring of rpc.S, whose calls are the normal ones, one for urgent and one for background calls.
// Linked only with programs that choose classes, and then the owner's side is here.
//
// The two rings are under the lock of the first, and are seen to by the same wakefulness. Who has the lock and finds the owner
// awake stores its call; the owner looks at all rings under the lock before it goes to sleep. Who finds it asleep takes the
// gate, and wakes it up behind its call with no call in the first ring.
//
// Calls of class `limit` and behind it stay. An owner that may not run its normal calls cannot sleep, since the ends of
// their ring must be at the start then: it dozes, with the gate shut and bit 0 of `head` clear, and whoever has an urgent
// call interrupts it again. Background calls that stay let it sleep, and nobody wakes it up for more of them. `limit` is changed under
// the lock: who has read the old one has stored its call before the owner looks behind the change. Modelled in
// test/model/rpc_class.pml.
#include "internal.h"
#include "interrupt.h"
#include "rpc.h"

enum { URGENT, NORMAL, BACKGROUND, NONE }; // as SHMEMX_RPC_

// Ends as of the first ring, without bits 0.
struct ends {
    volatile uint32_t tail, head;
};

// rpc_serve.S has its places.
struct rings {
    _Alignas(8) struct ends of[BACKGROUND + 1]; // of[NORMAL] is not used
    volatile uint32_t limit;
    volatile uint32_t dozes;
} skerry_rpc_rings = {.limit = NONE};
_Static_assert(offsetof(struct rings, of[BACKGROUND]) == 16 && offsetof(struct rings, limit) == 24, "rpc_serve.S");

extern char _skerry_rpc_mask[];           // its address: of a call's place in a ring
extern char skerry_rpc_class_calls[];     // urgent ones, background ones
extern char _skerry_rpc_class_distance[]; // from those to these; a number

__asm__(".global _skerry_serve_calls_by_class"); // links it

static void *place_of(int class, uint32_t end) {
    char *calls = skerry_rpc_class_calls + (class == BACKGROUND ? (uintptr_t)_skerry_rpc_class_distance : 0);
    return calls + (end & (uintptr_t)_skerry_rpc_mask);
}

static void wake(struct skerry_rpc *there, int pe) {
    there->tail = SKERRY_RPC_AWAKE;
    skerry_interrupt_core(pe);
    skerry_rpc.interrupting++;
}

// Under the lock. False: look again, somebody is about to wake the owner up.
static bool add(const struct skerry_rpc_call *call, int pe, int class, bool *has_room) {
    struct skerry_rpc *there = skerry_global(&skerry_rpc, pe);
    struct ends *ends = skerry_global(&skerry_rpc_rings.of[class], pe);
    const struct rings *its = skerry_global(&skerry_rpc_rings, pe);
    uint32_t tail = ends->tail;
    *has_room = (int32_t)(tail - ends->head - skerry_rpc.depth) < 0;
    if (!*has_room) return true;
    bool stays = (uint32_t) class >= its->limit, is_awake = there->tail & SKERRY_RPC_AWAKE;
    if (!stays && !is_awake && !skerry_test_and_set(&there->gate)) return false;
    skerry_rpc_copy_call(skerry_global(place_of(class, tail), pe), call);
    ends->tail = tail + SKERRY_RPC_ONE;
    skerry_rpc.sent++;
    if (stays) return true;
    if (!is_awake) wake(there, pe);
    else if (its->dozes) skerry_interrupt_core(pe);
    return true;
}

bool skerry_rpc_push_class(const struct skerry_rpc_call *call, int pe, int class) {
    struct skerry_rpc *there = skerry_global(&skerry_rpc, pe);
    if (class == NORMAL) return skerry_rpc_push(call, pe);
    skerry_fence();
    for (;;) {
        bool has_room;
        uint32_t mask = skerry_take_lock(&there->lock);
        bool is_done = add(call, pe, class, &has_room);
        skerry_compiler_fence();
        there->lock = 0;
        skerry_unmask_interrupts(mask);
        if (is_done) return has_room;
    }
}

// -- The owner's side --------------------------------------------------------------------------------------------------

static bool take_of(int class, struct skerry_rpc_call *call) {
    struct ends *ends = &skerry_rpc_rings.of[class];
    if (skerry_rpc_rings.limit <= (uint32_t) class || ends->tail == ends->head) return false;
    if (!call) return true;
    skerry_rpc_copy_call(call, place_of(class, ends->head));
    ends->head += SKERRY_RPC_ONE;
    skerry_rpc.served += SKERRY_RPC_ONE;
    return true;
}

static bool take_normal(struct skerry_rpc_call *call) {
    uint32_t head = skerry_rpc.head;
    if (skerry_rpc_rings.limit <= NORMAL || skerry_rpc.tail == head) return false;
    if (!call) return true;
    uint32_t place = (head & (uint32_t)(uintptr_t)_skerry_rpc_mask) + SKERRY_RPC_ONE;
    skerry_rpc_copy_call(call, (const char *)&skerry_rpc - place);
    skerry_rpc.head = head + SKERRY_RPC_ONE;
    return true;
}

// NULL: only whether there is one.
static bool take(struct skerry_rpc_call *call) {
    return take_of(URGENT, call) || take_normal(call) || take_of(BACKGROUND, call);
}

static void run(const struct skerry_rpc_call *call) {
    uint64_t (*function)(uint32_t, uint32_t, uint32_t, uint32_t);
    function = (uint64_t(*)(uint32_t, uint32_t, uint32_t, uint32_t))call->function;
    uint64_t value = function(call->arguments[0], call->arguments[1], call->arguments[2], call->arguments[3]);
    if (!call->event) return;
    call->event->value = value;
    skerry_compiler_fence();
    call->event->done = 1;
}

static void sleep_or_doze(void) {
    uint32_t head = skerry_rpc.head - SKERRY_RPC_SERVES;
    if (skerry_rpc.tail == skerry_rpc.head) {
        skerry_rpc.served += head;
        *(volatile skerry_double_word *)&skerry_rpc.tail = 0;
        skerry_compiler_fence();
        skerry_rpc.gate = 0;
    } else {
        skerry_rpc.head = head;
        skerry_rpc_rings.dozes = 1;
    }
}

// Called by rpc_serve.S, which runs normal calls itself while there are no others and all may run; bit 0 of `head` is set. Returns with interrupts out, by GID, and this core asleep: no interrupt may
// come between here and RTI, or the stack would grow. Nothing here multiplies, which would let them in (machine.h).
void skerry_rpc_serve_by_class(void);
void skerry_rpc_serve_by_class(void) {
    skerry_rpc_rings.dozes = 0;
    for (;;) {
        struct skerry_rpc_call call;
        while (take(&call)) run(&call);
        __asm__ volatile("gid" : : : "memory");
        if (skerry_test_and_set(&skerry_rpc.lock)) {
            bool is_idle = !take(0);
            if (is_idle) sleep_or_doze();
            skerry_compiler_fence();
            skerry_rpc.lock = 0;
            if (is_idle) return;
        }
        __asm__ volatile("gie" : : : "memory");
    }
}

int skerry_rpc_defer_from(int first) {
    int before = (int)skerry_rpc_rings.limit;
    uint32_t mask = skerry_take_lock(&skerry_rpc.lock);
    skerry_rpc_rings.limit = (uint32_t)first;
    skerry_rpc_rings.dozes = 0;
    bool waits = take(0);
    if (waits && !(skerry_rpc.tail & SKERRY_RPC_AWAKE) && skerry_test_and_set(&skerry_rpc.gate))
        skerry_rpc.tail = SKERRY_RPC_AWAKE;
    skerry_compiler_fence();
    skerry_rpc.lock = 0;
    skerry_unmask_interrupts(mask);
    if (waits) skerry_rpc_look();
    return before;
}
