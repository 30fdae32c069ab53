// SPDX-License-Identifier: BSD-3-Clause
// Implements handlers of the networks' events. The machine's server runs them, on the resource manager, beside the program.
//
// A thread stores an element's handler and argument before its key (a release). The server loads the key first (an acquire).
// An element is used again only for the same key, so the server never sees the handler of one key with another key. A thread
// that removes a handler sets the handler to NULL; the server can be in a call of it then.
#include "internal.h"

#define HANDLERS_MAX 32

static struct handler {
    uint32_t key; // 0: the element was never used
    mppa_noc_callback_t function;
    void *argument;
} handlers[HANDLERS_MAX];

static uint32_t key_of(mppa_noc_interrupt_line_t line, unsigned tag) {
    return 1 + ((uint32_t)line << 16 | tag);
}

// Sets the count of events to 0 and returns it.
static uint32_t take_events(mppa_noc_interrupt_line_t line, unsigned tag) {
    switch (line) {
    case MPPA_NOC_INTERRUPT_LINE_DNOC_TX:
        return skerry_noc_engine_events(tag) == 0 ? 0 : skerry_noc_await_engine(tag); // does not wait
    case MPPA_NOC_INTERRUPT_LINE_DNOC_RX: return skerry_noc_tag_clear(tag);
    case MPPA_NOC_INTERRUPT_LINE_CNOC_RX: return skerry_noc_mailbox_clear(tag);
    }
    return 0;
}

static bool run_handlers(void) {
    bool has_run = false;
    for (struct handler *handler = handlers; handler < handlers + HANDLERS_MAX; handler++) {
        const uint32_t key = SKERRY_LOAD_ACQUIRE(&handler->key);
        if (key == 0) break;
        const mppa_noc_callback_t function = SKERRY_LOAD_ACQUIRE(&handler->function);
        const mppa_noc_interrupt_line_t line = (mppa_noc_interrupt_line_t)((key - 1) >> 16);
        const unsigned tag = (key - 1) & 0xffff;
        if (!function || take_events(line, tag) == 0) continue;
        function(0, line, tag, handler->argument);
        has_run = true;
    }
    return has_run;
}

// Returns the element of a key. If there is none and `may_add` is true, takes one. Returns NULL if there is none.
static struct handler *find(uint32_t key, bool may_add) {
    for (struct handler *handler = handlers; handler < handlers + HANDLERS_MAX; handler++) {
        uint32_t none = 0;
        if (SKERRY_LOAD_ACQUIRE(&handler->key) == key) return handler;
        if (!may_add || handler->key != 0) continue;
        if (__atomic_compare_exchange_n(&handler->key, &none, key, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            return handler;
        if (none == key) return handler;
    }
    return NULL;
}

mppa_noc_ret_t mppa_noc_register_interrupt_handler(int interface, mppa_noc_interrupt_line_t line, unsigned tag,
                                                   mppa_noc_callback_t handler, void *argument) {
    static const char routine[] = "mppa_noc_register_interrupt_handler";
    skerry_noc_check_resource(routine, interface, line, tag);
    struct handler *element = find(key_of(line, tag), true);
    if (!element || !handler) return MPPA_NOC_RET_FAILURE;
    element->argument = argument;
    __atomic_store_n(&element->function, handler, __ATOMIC_RELEASE);
    return skerry_noc_result(skerry_noc_on_events(run_handlers));
}

void skerry_noc_forget_handler(mppa_noc_interrupt_line_t line, unsigned tag) {
    struct handler *element = find(key_of(line, tag), false);
    if (element) __atomic_store_n(&element->function, NULL, __ATOMIC_RELEASE);
}

void mppa_noc_disable_interrupt_handler(int interface, mppa_noc_interrupt_line_t line, unsigned tag) {
    skerry_noc_check_interface("mppa_noc_disable_interrupt_handler", interface);
    skerry_noc_forget_handler(line, tag);
}
