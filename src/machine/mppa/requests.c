// SPDX-License-Identifier: BSD-3-Clause
// Runs the handlers of interrupts, such as the one that runs remote procedure calls: the server does it, on its own core,
// beside the program. A handler runs if its interrupt was raised, or if the word that it watches has its value.
#pragma GCC optimize "O2"
#include <stdlib.h>

#include "jobs.h"
#include "start.h"

// Memory in which calls arrive: replies, records, three queues, and their blocks (src/rpc/queue/message.h).
#define MEMORY_BYTES 0x13000
static _Alignas(64) char memory[MEMORY_BYTES];

void *skerry_request_memory(int part, size_t *bytes) {
    *bytes = part == 0 ? sizeof memory : 0;
    return memory;
}

static skerry_handler *volatile handlers[SKERRY_INTERRUPT_NUMBERS];
static uint32_t raised; // one bit for each interrupt
static struct {
    const uint32_t *volatile word; // NULL: none
    volatile uint32_t value;
} watched[SKERRY_INTERRUPT_NUMBERS];

// `running` is 1 while a thread, usually the server, runs handlers. `masked` counts the threads that have masked
// interrupts. test/model/mppa_requests.pml checks these rules:
// * A thread that masks increments `masked` and then waits until no thread runs handlers. A thread that runs handlers sets
//   `running` and then loads `masked`. So either the first thread sees `running`, or the second one sees `masked`.
// * The last thread that unmasks runs the handlers that are due, in the same way: another thread can have masked meanwhile,
//   and then that thread will run them.
// * The server sleeps if handlers are due but another thread runs some. So a thread that has run handlers looks again after
//   it has cleared `running`, and wakes the server.
static uint32_t running, masked;
static SKERRY_PER_THREAD bool is_in_handler;
SKERRY_PER_THREAD const char *skerry_handled_function;

static bool is_due(int number) {
    const uint32_t *word = watched[number].word;
    if (SKERRY_LOAD_ACQUIRE(&raised) >> number & 1) return handlers[number] != NULL;
    return word && SKERRY_LOAD_ACQUIRE(word) == watched[number].value;
}

static bool is_any_due(void) {
    for (int number = 0; number < SKERRY_INTERRUPT_NUMBERS; number++)
        if (is_due(number)) return true;
    return false;
}

// Runs all handlers that are due. The caller has set `running`. A bit is cleared before its handler runs, so a raise
// during the run causes another run.
static bool run_due(void) {
    bool has_run = false;
    is_in_handler = true;
    while (is_any_due())
        for (int number = 0; number < SKERRY_INTERRUPT_NUMBERS; number++)
            while (is_due(number)) {
                __atomic_fetch_and(&raised, ~(1u << number), __ATOMIC_ACQ_REL);
                handlers[number]();
                has_run = true;
            }
    is_in_handler = false;
    return has_run;
}

static bool try_to_begin(void) {
    return __atomic_exchange_n(&running, 1, __ATOMIC_SEQ_CST) == 0;
}

static void end(void) {
    __atomic_exchange_n(&running, 0, __ATOMIC_SEQ_CST);
}

// Runs handlers on the calling thread, also if interrupts are masked if `always` is true. A job of one PE has no server.
static bool run_on_thread(bool always) {
    bool has_run = false;
    if (is_in_handler) return false;
    while (!try_to_begin()) {
    }
    if (always || SKERRY_LOAD_ACQUIRE(&masked) == 0) has_run = run_due();
    end();
    if (skerry_facts.pe_count > 1 && is_any_due()) skerry_wake_server();
    return has_run;
}

bool skerry_server_run_requests(void) {
    bool has_run = false;
    if (!is_any_due() || !try_to_begin()) return false;
    if (SKERRY_LOAD_ACQUIRE(&masked) == 0) has_run = run_due();
    end();
    return has_run;
}

bool skerry_run_requests(void) {
    return run_on_thread(true);
}

uint32_t skerry_mask_requests(void) {
    __atomic_fetch_add(&masked, 1, __ATOMIC_SEQ_CST);
    while (!is_in_handler && SKERRY_LOAD_ACQUIRE(&running) != 0) {
    }
    return 0;
}

// The handlers that are due have run when the program continues, unless another thread masks them.
void skerry_unmask_requests(void) {
    if (__atomic_fetch_sub(&masked, 1, __ATOMIC_SEQ_CST) == 1 && is_any_due()) run_on_thread(false);
}

void skerry_on_interrupt(int number, skerry_handler *handler) {
    handlers[number] = handler;
    if (skerry_facts.pe_count > 1) skerry_wake_server();
}

void skerry_on_rare_interrupt(int number, skerry_handler *handler) {
    skerry_on_interrupt(number, handler);
}

void skerry_watch(int number, const uint32_t *word, uint32_t value, bool when_interrupted) {
    (void)when_interrupted;
    watched[number].word = NULL;
    skerry_compiler_fence();
    watched[number].value = value;
    skerry_compiler_fence();
    watched[number].word = word;
    if (skerry_facts.pe_count > 1 && !is_in_handler) skerry_wake_server();
}

static size_t raise_here(int pe, int from, const void *message, size_t bytes, void *answer) {
    (void)pe, (void)from, (void)bytes, (void)answer;
    __atomic_fetch_or(&raised, 1u << *(const uint32_t *)message, __ATOMIC_ACQ_REL);
    return 0;
}

__attribute__((constructor)) static void begin(void) {
    skerry_far_on_message(SKERRY_FAR_HANDLERS - 1, raise_here);
}

// A job of one PE has no server.
void skerry_interrupt(int pe, int number) {
    const uint32_t which = (uint32_t)number;
    if (!skerry_is_near(pe)) {
        skerry_far_send(pe, SKERRY_FAR_HANDLERS - 1, &which, sizeof which);
        return;
    }
    __atomic_fetch_or(&raised, 1u << which, __ATOMIC_ACQ_REL);
    if (skerry_facts.pe_count > 1) skerry_wake_server();
    else if (SKERRY_LOAD_ACQUIRE(&masked) == 0) skerry_run_requests();
}

bool skerry_in_handler(void) {
    return is_in_handler;
}

// The server waits for requests, and no program is interrupted.
bool skerry_in_interrupt(void) {
    return false;
}

bool skerry_interrupt_pe(int pe) {
    (void)pe;
    return false;
}

bool skerry_notify_pe(int pe) {
    (void)pe;
    return true;
}

bool skerry_is_polling_requests(int pe) {
    (void)pe;
    return true;
}

// The only way: the server runs the handlers in parallel with the program.
bool skerry_set_attention(int how) {
    return how == 2;
}

bool skerry_is_running(int pe) {
    return skerry_is_near(pe) ? !skerry_server_ended : skerry_is_running_pe(pe);
}

long skerry_number_setting(const char *name, long otherwise, long most) {
    const char *text = getenv(name);
    char *end_of_number;
    if (!text || !*text) return otherwise;
    const long value = strtol(text, &end_of_number, 10);
    if (*end_of_number || value < 0 || value > most)
        skerry_fail_values(name, "must be a number from 0 to #", (long[]){most}, 1);
    return value;
}
