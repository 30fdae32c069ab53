// SPDX-License-Identifier: BSD-3-Clause
// Sends messages to far PEs (PEs of other nodes), and calls the handlers of messages that arrive.
#define _GNU_SOURCE
#include "far_internal.h"

static skerry_far_handler *handlers[SKERRY_FAR_HANDLERS];

void skerry_far_on_message(int number, skerry_far_handler *handler) {
    handlers[number] = handler;
}

size_t skerry_far_handle(int pe, int from, int number, const void *message, size_t bytes, void *answer) {
    if ((unsigned)number >= SKERRY_FAR_HANDLERS || !handlers[number])
        skerry_refuse("a message of PE %d has number %d, for which this program has no handler", from, number);
    // The calling thread holds the module's lock, so no handler of an interrupt is allowed to run in this thread (see
    // begin_use). The thread is possibly the module's own thread, which has not called begin_use.
    skerry_defer_handlers();
    const size_t answer_bytes = handlers[number](pe, from, message, bytes, answer);
    skerry_leave_deferred_handlers();
    return answer_bytes;
}

// The calling thread holds the module's lock, as in skerry_far_handle.
void skerry_far_end_transfer(skerry_network_ended *ended, void *given) {
    skerry_defer_handlers();
    ended(given);
    skerry_leave_deferred_handlers();
}

static void check_message(int pe, size_t bytes) {
    if (!skerry_network_host.wire_up || skerry_is_near(pe) || (uint32_t)pe >= (uint32_t)skerry_facts.pe_count)
        skerry_refuse("error in the library: it sent a message of the network to PE %d, but only PEs of other nodes "
                      "receive such messages",
                      pe);
    if (bytes > SKERRY_FAR_MESSAGE_MAX)
        skerry_refuse("a message to PE %d has %zu bytes: at most %d are allowed", pe, bytes, SKERRY_FAR_MESSAGE_MAX);
}

size_t skerry_far_ask(int pe, int number, const void *message, size_t bytes, void *answer) {
    check_message(pe, bytes);
    begin_use();
    const size_t answer_bytes = module()->ask(pe, number, message, bytes, answer);
    end_use();
    return answer_bytes;
}

void skerry_far_request(int pe, int number, const void *message, size_t bytes, void *answer) {
    check_message(pe, bytes);
    begin_use();
    module()->request(pe, number, message, bytes, skerry_far_name(answer));
    end_use();
}

void skerry_far_send(int pe, int number, const void *message, size_t bytes) {
    check_message(pe, bytes);
    begin_operation();
    begin_use();
    module()->send(pe, number, message, bytes);
    end_use();
}
