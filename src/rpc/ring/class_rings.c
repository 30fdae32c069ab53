// SPDX-License-Identifier: BSD-3-Clause
// Implements classes of calls: urgent, normal and background. The ring of call.S contains the normal calls. This file
// adds two rings, for urgent and for background calls, and runs the calls of all three rings. The owner of the rings is
// the core in whose memory they lie. This file is linked only into programs that choose classes.
//
// Why no call is left in a ring (test/model/rpc_class.pml is a model):
// * The lock of the normal ring protects all three rings. Its flags are valid for all three too. The gate and bit 0 of
//   `tail` are set while the owner is awake. Bit 0 of `head` is set while the owner runs calls.
// * A caller that holds the lock and finds the owner awake stores its call. The owner tests all rings under the lock
//   before it sleeps, so it finds this call.
// * A caller that finds the owner asleep sets the gate, stores its call, and wakes the owner. The normal ring has no
//   call then.
#include "ring.h"

enum { URGENT, NORMAL, BACKGROUND, NONE }; // the classes have the values of the constants SHMEMX_RPC_*

// The two ends of a ring. Each word counts SKERRY_RPC_ONE for each call, as in the normal ring. Bit 0 has no meaning in
// these words.
struct ends {
    volatile uint32_t tail, head;
};

// The words of the rings for urgent and background calls. serve.S uses their offsets.
struct rings {
    _Alignas(8) struct ends of[BACKGROUND + 1]; // of[NORMAL] is not used
    volatile uint32_t limit; // the first class whose calls are deferred; NONE if no calls are deferred
    volatile uint32_t dozes; // not 0: this core dozes
} skerry_rpc_rings = {.limit = NONE};
_Static_assert(offsetof(struct rings, of[BACKGROUND]) == 16 && offsetof(struct rings, limit) == 24, "serve.S");

extern char skerry_rpc_class_calls[]; // the ring of urgent calls, then the ring of background calls
// The address of this symbol is the distance in bytes between the ring of urgent calls and the ring of background
// calls.
extern char _skerry_rpc_class_distance[] SKERRY_SYMBOL("__skerry_rpc_class_distance");

static void *place_of(int class, uint32_t end) {
    char *calls = skerry_rpc_class_calls + (class == BACKGROUND ? (uintptr_t)_skerry_rpc_class_distance : 0);
    return calls + (end & (uintptr_t)_skerry_rpc_mask);
}

static void wake(struct skerry_rpc *there, int pe) {
    there->tail = SKERRY_RPC_AWAKE;
    skerry_interrupt_core(pe);
    skerry_rpc.interrupting++;
}

// Adds a call to the ring of a class of PE `pe`. Must be called under the lock of that PE's rings. Sets *has_room to
// false, and adds nothing, if the ring is full. Returns false if the caller must try again, because another core is
// just waking the owner of the rings.
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
    // A deferred call does not wake the owner.
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

// Takes the next call that is not deferred, from the first ring that has such a call. Returns false if no ring has one.
// If `call` is NULL, takes no call, and returns true if a ring has a call that is not deferred.
static bool take(struct skerry_rpc_call *call) {
    return take_of(URGENT, call) || take_normal(call) || take_of(BACKGROUND, call);
}

// Lets this core sleep, or doze if its normal ring still has deferred calls. A sleeping owner's normal ring must be
// empty, because the next caller stores its call at the first place. While the owner dozes, the gate stays set but bit
// 0 of `head` is clear. A caller that adds an urgent call interrupts a dozing owner. Deferred background calls do not
// keep the owner awake.
static void sleep_or_doze(void) {
    uint32_t head = skerry_rpc.head - SKERRY_RPC_SERVES;
    if (skerry_rpc.tail == skerry_rpc.head) {
        skerry_rpc.served += head;
        *(volatile skerry_two_words *)&skerry_rpc.tail = 0;
        skerry_compiler_fence();
        skerry_rpc.gate = 0;
    } else {
        skerry_rpc.head = head;
        skerry_rpc_rings.dozes = 1;
    }
}

// Runs calls of all classes until the rings contain only deferred calls. The caller has set bit 0 of `head`.
// portable/serve.c always calls this function. serve.S calls it if there are urgent or background calls or if a class
// is deferred; if not, serve.S runs the normal calls itself.
//
// On return this core is asleep or dozes, and interrupts are disabled. Interrupts must stay disabled until the
// interrupt handler has returned. Before that, each interrupt would add a stack frame while this one still exists, and
// the stack could grow without limit. This function must not multiply after it has disabled interrupts, because on
// Epiphany a multiplication enables them (epiphany/machine.h).
void skerry_rpc_serve_by_class(void) {
    if (SKERRY_CALL_ASSEMBLY) SKERRY_NEEDS_SYMBOL("skerry_serve_calls_by_class"); // serve_by_class.S
    skerry_rpc_rings.dozes = 0;
    for (;;) {
        struct skerry_rpc_call call;
        while (take(&call)) skerry_rpc_run(&call);
        skerry_disable_interrupts();
        if (skerry_test_and_set(&skerry_rpc.lock)) {
            bool is_idle = !take(0);
            if (is_idle) sleep_or_doze();
            skerry_compiler_fence();
            skerry_rpc.lock = 0;
            if (is_idle) return;
        }
        skerry_enable_interrupts();
    }
}

// Defers the calls of class `first` and of all later classes. `limit` changes under the lock: a caller that has read
// the old value has stored its call before this function tests the rings.
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
    if (waits) skerry_interrupt_own_core();
    return before;
}
