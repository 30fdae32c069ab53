// SPDX-License-Identifier: BSD-3-Clause
// Runs, at the target, the calls that have arrived, urgent calls first. The machine calls `serve` in this PE's waits
// and when the PE is interrupted. Only one thread at a time runs `serve`, so each queue has one reader.
#include "internal.h"

shmemx_rpc_counters_t skerry_rpc_counts;

static struct skerry_queue *queues[SKERRY_RPC_CLASSES];
static int first_deferred = SKERRY_RPC_CLASSES; // calls of this class and of all later classes are deferred

// Lets the machine call `serve` when the next call of a class arrives. While this PE waits, the machine polls the word
// `turn` of the queue's next slot. `turn` shows whether the slot is full (primitive/queue.h). If the class is deferred,
// the machine polls no word for it.
static void watch(int class) {
    struct skerry_queue *queue = queues[class];
    skerry_word next = queue->head;
    const uint32_t *turn = &skerry_queue_own_slot(queue, next)->turn;
    skerry_watch(SKERRY_RPC_INTERRUPT + class, class < first_deferred ? turn : 0, (uint32_t)(next + 1),
                 class != SHMEMX_RPC_BACKGROUND);
}

// Sends the reply to a PE of this node. The caller polls the reply's cache line. All stores to the reply are
// consecutive, so the caller does not fetch the line between two of them.
static void reply_near(struct skerry_results *there, struct skerry_rpc_caller caller,
                       const struct skerry_results *results, uint32_t note) {
    // Copies the two integers one at a time. They were stored by two stores, and one load of both would wait until both
    // stores have reached the cache.
    there->integers[0] = results->integers[0];
    there->integers[1] = results->integers[1];
    __builtin_memcpy(there->vectors, results->vectors, sizeof there->vectors);
    if (results->stacked) __builtin_memcpy(there->stack, results->stack, sizeof there->stack);
    skerry_mailbox_deliver(&there->number, caller.number, note, caller.pe);
}

static void run(int class, struct skerry_queue *queue, struct skerry_queue_slot *slot) {
    // A call stays in its slot while it runs, because its arguments are read from the slot.
    struct skerry_rpc_message *message = (struct skerry_rpc_message *)(void *)slot->message;
    const struct skerry_function *function = skerry_rpc_find(slot->note);
    struct skerry_results results;
    struct skerry_rpc_reply *reply = &skerry_rpc_replies()[message->caller.event];
    struct skerry_results *there = &((struct skerry_rpc_reply *)skerry_global(reply, message->caller.pe))->results;
    if (message->caller.flags & SKERRY_RPC_HAS_BLOCK)
        message->arguments.integers[1] = (uintptr_t)skerry_rpc_block(class, queue->head & (queue->slots - 1));
    const struct skerry_vectors *vectors = &message->arguments.vectors;
    // A record contains only the lower halves of the vector registers. A call that uses upper halves does not use a
    // record.
    if (message->caller.flags & SKERRY_RPC_ON_RECORD) vectors = (const void *)&skerry_rpc_records()[message->caller.pe];
    if (function) {
        skerry_handled_function = function->name;
        skerry_apply(function->code, message->arguments.integers, vectors, message->caller.flags, &results);
        skerry_handled_function = 0;
    } else {
        results = (struct skerry_results){0};
    }
    if (message->caller.flags & SKERRY_RPC_NO_REPLY) {
        skerry_queue_release(queue);
    } else {
        struct skerry_rpc_caller caller = message->caller;
        uint32_t note = (uint32_t)(function ? SHMEMX_RPC_SERVED : SHMEMX_RPC_UNKNOWN) << 8 | results.stacked;
        // The slot is released before the reply is sent. A caller that has received the reply and calls again therefore
        // finds a free slot.
        skerry_queue_release(queue);
        if (skerry_is_near(caller.pe)) reply_near(there, caller, &results, note);
        else skerry_rpc_reply_far(caller, &results, note);
    }
    skerry_rpc_count(&skerry_rpc_counts.served);
    if (skerry_in_interrupt()) skerry_rpc_count(&skerry_rpc_counts.interrupted);
    watch(class);
}

static void serve(void) {
    // Possibly the program has stored a call that its next routine will send (the kept call). Possibly it has not yet
    // read the status of its last call. The calls that run below can change both, so both are restored at the end.
    int status = skerry_rpc_last_status;
    int last = skerry_in_interrupt() ? SHMEMX_RPC_NORMAL : SHMEMX_RPC_BACKGROUND;
    for (int class = 0; class <= last && class < first_deferred;) {
        struct skerry_queue *queue = queues[class];
        struct skerry_queue_slot *slot = skerry_queue_first(queue);
        if (slot) run(class, queue, slot);
        class = slot ? 0 : class + 1;
    }
    skerry_rpc_restore_kept();
    skerry_rpc_last_status = status;
}

void skerry_rpc_begin(void) {
    static bool has_begun;
    if (has_begun) return;
    has_begun = true;
    long depth = skerry_number_setting("SKERRY_RPC_DEPTH", SKERRY_RPC_DEPTH_DEFAULT, (long)skerry_rpc_depth_max());
    for (int class = 0; class < SKERRY_RPC_CLASSES; class ++) {
        queues[class] = skerry_rpc_queue(class);
        skerry_queue_create(queues[class], (uint32_t)depth, skerry_rpc_slot_bytes(), false);
        watch(class);
        skerry_on_interrupt(SKERRY_RPC_INTERRUPT + class, serve);
    }
}

static void defer_from(int class) {
    first_deferred = class;
    for (int each = 0; each < SKERRY_RPC_CLASSES; each++) watch(each);
}

int shmemx_rpc_defer(int class) {
    int before = first_deferred;
    if (class < 0 || class > SKERRY_RPC_CLASSES)
        skerry_fail_values(
            __func__,
            "class #: must be SHMEMX_RPC_URGENT (0), SHMEMX_RPC_NORMAL (1), SHMEMX_RPC_BACKGROUND (2) or "
            "SHMEMX_RPC_NONE (3)",
            (long[]){class}, 1);
    uint32_t mask = skerry_mask_interrupts();
    defer_from(class);
    skerry_unmask_interrupts(mask);
    return before;
}

int shmemx_rpc_poll(void) {
    unsigned long before = skerry_rpc_counts.served;
    int deferred = first_deferred;
    uint32_t mask = skerry_mask_interrupts();
    defer_from(SKERRY_RPC_CLASSES);
    skerry_progress_now();
    defer_from(deferred);
    skerry_unmask_interrupts(mask);
    return (int)(skerry_rpc_counts.served - before);
}

static uint32_t masked; // number of calls of shmemx_rpc_mask minus calls of shmemx_rpc_unmask

void shmemx_rpc_mask(void) {
    (void)skerry_mask_interrupts();
    __atomic_fetch_add(&masked, 1, __ATOMIC_RELAXED);
}

void shmemx_rpc_unmask(void) {
    if (__atomic_fetch_sub(&masked, 1, __ATOMIC_RELAXED) == 0)
        skerry_fail(__func__, "must be called once for each call of shmemx_rpc_mask, and after it");
    skerry_unmask_interrupts(0);
}

int shmemx_rpc_attention(int how) {
    if (how < SHMEMX_RPC_ONLY_WAITING || how > SHMEMX_RPC_BY_THREAD)
        skerry_fail_values(
            __func__,
            "how #: must be SHMEMX_RPC_ONLY_WAITING (0), SHMEMX_RPC_BY_SIGNAL (1) or SHMEMX_RPC_BY_THREAD (2)",
            (long[]){how}, 1);
    return skerry_set_attention(how) ? 0 : -1;
}

void shmemx_rpc_get_counters(shmemx_rpc_counters_t *counters) {
    if (skerry_checking && !counters) skerry_fail(__func__, "counters: must not be NULL");
    const unsigned long *from = &skerry_rpc_counts.sent; // all fields of the struct have this type
    unsigned long *to = &counters->sent;
    for (size_t i = 0; i < sizeof *counters / sizeof *from; i++) to[i] = __atomic_load_n(&from[i], __ATOMIC_RELAXED);
}
