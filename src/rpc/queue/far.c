// SPDX-License-Identifier: BSD-3-Clause
// Makes calls to PEs of other nodes (far PEs). A call is one network message. A process of the target's node puts the
// call into the target's queue, as a caller on that node does. The target sends the reply later, as a put into the
// caller's memory (progress.c). There are two kinds of calls:
// * The caller waits for the reply (skerry_rpc_call_far). The message gets no answer, so the call and its reply are two
//   messages. If the call is refused, the process that found the queue full writes the reply.
// * The caller does not wait (skerry_rpc_send_far). The message gets an answer, which says whether the queue had a free
//   slot.
//
// Why two PEs that call each other do not deadlock:
// * An answer or a refusal needs no action of the target, which possibly computes or waits.
// * A caller that waits for a free slot or for a reply runs calls of other PEs meanwhile.
// * The process that puts a call into the target's queue does not wait. If the queue is full, it answers so, and the
//   caller tries again.
//
// Messages and puts of one PE to another take effect in the order in which the PE makes them (contract/far.h). The
// called function therefore sees what the caller has put to the target before the call. Calls of one thread get slots
// in the order in which the thread made them.
#include "internal.h"

#if SKERRY_FAR_MESSAGES

#define CALL_NUMBER 0                 // number of the message (skerry_far_on_message)
#define FIRST_DELAY_NANOSECONDS 10000 // time before the caller asks again for a free slot; it doubles each time
#define LAST_DELAY_NANOSECONDS 500000

// Beginning of a message that carries a call. After the struct, the message contains the lower and the upper halves of
// the vector registers. Each half is sent only if the caller's flags say so. The call's block of data is last.
struct call {
    uint32_t function;
    uint16_t class;
    uint16_t block_bytes;
    struct skerry_rpc_caller caller;
    skerry_call_integer integers[SKERRY_CALL_INTEGERS];
};
struct answer {
    uint8_t outcome; // enum skerry_rpc_outcome
    uint8_t has_interrupted;
};
#define HALVES_BYTES sizeof((struct skerry_vectors *)0)->low
#define CALL_BYTES_MAX (sizeof(struct call) + 2 * HALVES_BYTES + SKERRY_RPC_BLOCK_BYTES)
_Static_assert(CALL_BYTES_MAX <= SKERRY_FAR_MESSAGE_MAX, "a call is one message");
_Static_assert(SKERRY_RPC_BLOCK_BYTES <= UINT16_MAX, "the size of a block has 16 bits");

// -- At the target's node ----------------------------------------------------------------------------------------------

// Makes the target run the call. This function does not first poll the target's queue, as a caller on the target's node
// does. The handler of a message calls this function, and a handler must not wait.
static bool interrupt(int pe, int class) {
    if (skerry_notify_pe(pe)) return false;
    return class != SHMEMX_RPC_BACKGROUND && skerry_interrupt_pe(pe);
}

static void fill(const struct skerry_queue_end *end, skerry_word ticket, const struct call *call) {
    struct skerry_queue_slot *slot = skerry_queue_slot_of(end, ticket);
    struct skerry_rpc_message *message = (struct skerry_rpc_message *)(void *)slot->message;
    const char *behind = (const char *)(call + 1);
    if (call->caller.flags & SKERRY_CALL_LOW) {
        __builtin_memcpy(message->arguments.vectors.low, behind, HALVES_BYTES);
        behind += HALVES_BYTES;
    }
    if (call->caller.flags & SKERRY_CALL_HIGH) {
        __builtin_memcpy(message->arguments.vectors.high, behind, HALVES_BYTES);
        behind += HALVES_BYTES;
    }
    if (call->block_bytes)
        skerry_copy(skerry_global(skerry_rpc_block(call->class, ticket & end->mask), end->owner), behind,
                    call->block_bytes);
    message->caller = call->caller;
    __builtin_memcpy(message->arguments.integers, call->integers, sizeof call->integers);
    // Publishes the slot by a store-release, as a caller on the target's node does.
    skerry_queue_publish_slot(end, slot, ticket, call->function);
}

// Returns false if PE `pe` has no queues, because it has no function that other PEs can call.
static bool is_created(int class, int pe) {
    return ((const struct skerry_queue *)skerry_global(skerry_rpc_queue(class), pe))->slots != 0;
}

// Puts a call into the queue of PE `pe` if the queue has a free slot. All threads of this process share one `end` for
// each queue: the data that a sender needs (primitive/queue.h).
static enum skerry_rpc_outcome enqueue(int pe, const struct call *call) {
    if (!skerry_is_running(pe)) return SKERRY_RPC_LEFT;
    struct skerry_queue_end *end = skerry_rpc_end_of(call->class, pe);
    if (end->capacity == 0) return is_created(call->class, pe) ? SKERRY_RPC_NO_QUEUE : SKERRY_RPC_NO_FUNCTION;
    skerry_word ticket;
    if (!skerry_queue_try_ticket(end, &ticket)) return SKERRY_RPC_FULL;
    fill(end, ticket, call);
    return SKERRY_RPC_SENT;
}

// Handles the message of a call, in a process of the target's node. Interrupts the target even if the queue is full:
// the target possibly computes, and has not noticed the calls in its queue yet.
static size_t on_call(int pe, int from, const void *message, size_t bytes, void *answer) {
    const struct call *call = message;
    (void)from, (void)bytes;
    const enum skerry_rpc_outcome outcome = enqueue(pe, call);
    struct answer answered = {.outcome = (uint8_t)outcome};
    if (outcome == SKERRY_RPC_SENT || outcome == SKERRY_RPC_FULL) answered.has_interrupted = interrupt(pe, call->class);
    if (!(call->caller.flags & SKERRY_RPC_REPLY_TO_REFUSE)) {
        __builtin_memcpy(answer, &answered, sizeof answered);
        return sizeof answered;
    }
    // The reply to a refused call. Either this process or the target writes the reply, and only once: the target does
    // not run a refused call. The caller uses this element of the replies again only after it has seen the number of
    // this reply.
    const uint32_t words[2] = {call->caller.number, (uint32_t)SKERRY_RPC_REFUSAL(outcome) << 8};
    __builtin_memcpy(answer, words, sizeof words);
    return outcome == SKERRY_RPC_SENT ? 0 : sizeof words;
}

__attribute__((constructor)) static void begin(void) {
    skerry_far_on_message(CALL_NUMBER, on_call);
}

// -- At the caller -----------------------------------------------------------------------------------------------------

static bool any_of(const uint64_t halves[8]) {
    uint64_t any = 0;
    for (int i = 0; i < 8; i++) any |= halves[i];
    return any != 0;
}

static char *append(char *at, const void *data, size_t bytes) {
    __builtin_memcpy(at, data, bytes);
    return at + bytes;
}

// Writes the message of a call to `message`. Returns the size of the message in bytes.
static size_t write_call(char *message, const struct skerry_function *function,
                         const struct skerry_arguments *arguments, int class, struct skerry_rpc_caller caller) {
    const struct skerry_vectors *vectors = &arguments->vectors;
    unsigned flags = caller.flags;
    if (any_of(vectors->high)) flags |= SKERRY_CALL_LOW | SKERRY_CALL_HIGH;
    else if (any_of(vectors->low)) flags |= SKERRY_CALL_LOW;
    struct call call = {.function = function->id, .class = (uint16_t) class};
    if (function->takes_block) {
        flags |= SKERRY_RPC_HAS_BLOCK;
        call.block_bytes = (uint16_t)arguments->integers[2];
    }
    caller.flags = (uint16_t)flags;
    call.caller = caller;
    __builtin_memcpy(call.integers, arguments->integers, sizeof call.integers);
    char *at = append(message, &call, sizeof call);
    if (flags & SKERRY_CALL_LOW) at = append(at, vectors->low, HALVES_BYTES);
    if (flags & SKERRY_CALL_HIGH) at = append(at, vectors->high, HALVES_BYTES);
    if (call.block_bytes) at = append(at, (const void *)(uintptr_t)arguments->integers[1], call.block_bytes);
    return (size_t)(at - message);
}

static enum skerry_rpc_outcome ask(int pe, const void *message, size_t bytes) {
    _Alignas(8) char room[SKERRY_FAR_ANSWER_MAX];
    struct answer answered;
    skerry_far_ask(pe, CALL_NUMBER, message, bytes, room);
    __builtin_memcpy(&answered, room, sizeof answered);
    if (answered.has_interrupted) skerry_rpc_count(&skerry_rpc_counts.interrupting);
    return (enum skerry_rpc_outcome)answered.outcome;
}

// Waits for some time, and runs calls of other PEs meanwhile. Used before another attempt to send a call to a full
// queue on another node. No PE wakes this PE when that queue gets a free slot, so this PE must try again after some
// time.
static void pause_for(uint64_t nanoseconds) {
    SKERRY_PAUSE(pause);
    const uint64_t began = skerry_ticks(), ticks = nanoseconds * skerry_ticks_per_second() / 1000000000u;
    while (skerry_ticks() - began < ticks) skerry_pause(&pause, skerry_my_pe());
}

enum skerry_rpc_outcome skerry_rpc_call_far(int pe, const struct skerry_function *function,
                                            const struct skerry_arguments *arguments, int class, int event, bool waits,
                                            int *status) {
    _Alignas(8) char message[CALL_BYTES_MAX];
    struct skerry_results *reply = &skerry_rpc_replies()[event].results;
    struct skerry_rpc_caller caller = {.pe = (uint16_t)skerry_my_pe(), .event = (uint16_t)event};
    caller.flags = SKERRY_RPC_REPLY_TO_REFUSE;
    if (!skerry_is_running(skerry_my_pe())) return SKERRY_RPC_LEFT;
    const size_t bytes = write_call(message, function, arguments, class, caller);
    uint64_t delay = FIRST_DELAY_NANOSECONDS;
    for (;;) {
        const uint16_t number = skerry_rpc_next_reply(event);
        __builtin_memcpy(message + offsetof(struct call, caller.number), &number, sizeof number);
        skerry_far_request(pe, CALL_NUMBER, message, bytes, &reply->number);
        *status = skerry_rpc_await(event);
        if (*status > SKERRY_RPC_REFUSAL(0)) {
            skerry_rpc_count(&skerry_rpc_counts.sent);
            if (reply->note & SKERRY_RPC_HAS_INTERRUPTED) skerry_rpc_count(&skerry_rpc_counts.interrupting);
            return SKERRY_RPC_SENT;
        }
        const enum skerry_rpc_outcome outcome = (enum skerry_rpc_outcome)(SKERRY_RPC_REFUSAL(0) - *status);
        if (outcome != SKERRY_RPC_FULL || !waits) return outcome;
        pause_for(delay);
        if (delay < LAST_DELAY_NANOSECONDS) delay *= 2;
    }
}

enum skerry_rpc_outcome skerry_rpc_send_far(int pe, const struct skerry_function *function,
                                            const struct skerry_arguments *arguments, int class,
                                            struct skerry_rpc_caller caller, bool waits) {
    _Alignas(8) char message[CALL_BYTES_MAX];
    if (!skerry_is_running(skerry_my_pe())) return SKERRY_RPC_LEFT;
    const size_t bytes = write_call(message, function, arguments, class, caller);
    uint64_t delay = FIRST_DELAY_NANOSECONDS;
    for (;;) {
        enum skerry_rpc_outcome outcome = ask(pe, message, bytes);
        if (outcome == SKERRY_RPC_SENT) skerry_rpc_count(&skerry_rpc_counts.sent);
        if (outcome != SKERRY_RPC_FULL || !waits) return outcome;
        pause_for(delay);
        if (delay < LAST_DELAY_NANOSECONDS) delay *= 2;
    }
}

// Sends a reply to a caller on another node. The data and the number are two puts to one PE, so they take effect in
// this order. The second put is sent at once, together with the first. A caller that has left the job gets no reply.
void skerry_rpc_reply_far(struct skerry_rpc_caller caller, const struct skerry_results *results, uint32_t note) {
    if (!skerry_is_running(caller.pe)) return;
    struct skerry_results *there = &skerry_rpc_replies()[caller.event].results;
    const uint32_t words[2] = {caller.number, note | (skerry_in_interrupt() ? SKERRY_RPC_HAS_INTERRUPTED : 0)};
    _Static_assert(offsetof(struct skerry_results, note) == offsetof(struct skerry_results, number) + sizeof words[0],
                   "one put of 8 bytes stores both words");
    skerry_put(there, results, offsetof(struct skerry_results, number), caller.pe);
    if (results->stacked) skerry_put(there->stack, results->stack, sizeof there->stack, caller.pe);
    skerry_far_put_now(&there->number, words, sizeof words, caller.pe);
}

#endif
