// SPDX-License-Identifier: BSD-3-Clause
// Sends jobs to servers, and waits for answers and for puts. Each core has its own tags and its own credit, so cores of a
// PE do not wait for each other.
#pragma GCC optimize "O2"
#include "jobs.h"

struct skerry_requester skerry_requesters[SKERRY_MPPA_CORES + 1];
SKERRY_MPPA_COMMON("always.answers") volatile uint64_t skerry_answers[SKERRY_MPPA_CORES];
volatile uint32_t skerry_unconfirmed;
volatile uint32_t skerry_running_pes;

// A bit for each core that has started an operation on a far PE.
volatile uint32_t skerry_has_far_operations;

void skerry_requester_begin(struct skerry_requester *requester) {
    const uint32_t core = skerry_core_of(requester);
    requester->source = SKERRY_MPPA_JOB_REQUESTER | (SKERRY_MPPA_TAG_ANSWERS + core) << SKERRY_MPPA_JOB_TAG_SHIFT |
                        (uint32_t)skerry_facts.my_pe << SKERRY_MPPA_JOB_PE_SHIFT;
    __atomic_fetch_or((uint32_t *)(uintptr_t)&skerry_has_far_operations, 1u << core, __ATOMIC_RELEASE);
}

void skerry_await_credit(struct skerry_requester *requester) {
    const uint32_t tag = SKERRY_MPPA_TAG_ANSWERS + skerry_core_of(requester);
    for (;;) {
        requester->answers = skerry_tag_transfers(tag);
        if (skerry_has_credit(requester)) return;
        if (skerry_core_of(requester) == SKERRY_MPPA_SERVER) skerry_server_run_jobs();
    }
}

// On Linux the end of a program ends its threads. Here a thread goes on until it communicates.
void skerry_refuse_target(int pe) {
    while (skerry_has_programs() && skerry_server_ended) __asm__ volatile("wfi" ::: "memory");
    if ((uint32_t)pe >= (uint32_t)skerry_facts.pe_count) skerry_refuse_pe(pe);
    skerry_fail_values("a put, get or atomic", "pe #: its program has ended, so its memory cannot be accessed",
                       (long[]){pe}, 1);
}

void skerry_refuse_address(const volatile void *address) {
    skerry_fail_values("a put, get or atomic", "address @: no PE has memory there", (long[]){(long)(uintptr_t)address},
                       1);
}

// Waits until all jobs that another core has sent have been answered.
static void await_answers_of(uint32_t core) {
    const uint16_t jobs = skerry_requesters[core].jobs;
    while ((int16_t)(skerry_tag_transfers(SKERRY_MPPA_TAG_ANSWERS + core) - jobs) < 0) skerry_serve_while_waiting();
}

// The stores of packets and the loads of registers below are volatile, so they keep their order.
void skerry_await_puts_sent(void) {
    for (uint32_t cores = skerry_has_far_operations, core = 0; cores != 0; cores >>= 1, core++) {
        struct skerry_requester *requester = &skerry_requesters[core];
        const uint32_t puts = requester->puts;
        if (!(cores & 1) || requester->puts_sent == puts) continue;
        while (!skerry_is_put_sent(requester, puts)) {
        }
        requester->puts_sent = puts;
    }
}

// Waits until the atomic operations without a result that the cores of this PE have sent have been performed. The answers
// of one core can come from several servers, so all of them must have come.
static void await_posted(void) {
    for (uint32_t cores = skerry_has_far_operations, core = 0; cores != 0; cores >>= 1, core++) {
        struct skerry_requester *requester = &skerry_requesters[core];
        if (!(cores & 1) || !requester->has_posted) continue;
        if ((int)core == skerry_worker_number) {
            skerry_await_answers(requester);
            continue;
        }
        await_answers_of(core);
    }
}

void skerry_far_fence(void) {
    skerry_await_puts_sent();
    await_posted();
}

void skerry_far_store_release_32(void *word, uint32_t value, int pe) {
    struct skerry_requester *requester = skerry_begin_operation(pe);
    if (requester->has_posted) skerry_await_answers(requester);
    skerry_far_put_32(word, value, sizeof value, pe);
}

// Returns the number of the lowest bit of a set that is not empty: the exponent of this bit as a float. The cores have no
// instruction for it, and a loop over 16 PEs takes 100 cycles.
static int lowest_of(uint32_t set) {
    const union {
        float value;
        uint32_t bits;
    } lowest = {(float)(set & -set)};
    return (int)(lowest.bits >> 23) - 127;
}

// Completes the operations of all cores of this PE: first puts enter the network; then each PE to which there were puts
// confirms them; then all jobs are answered. Jobs of other cores that were sent before this call are included, because
// their cores have counted them.
void skerry_far_quiet(void) {
    struct skerry_requester *own = skerry_own_requester();
    skerry_await_puts_sent();
    uint32_t unconfirmed = __atomic_exchange_n((uint32_t *)(uintptr_t)&skerry_unconfirmed, 0, __ATOMIC_ACQ_REL);
    for (; unconfirmed != 0; unconfirmed &= unconfirmed - 1) {
        const uint32_t nothing = 0;
        skerry_send_job(own, SKERRY_MPPA_JOB_CONFIRM, lowest_of(unconfirmed), 2, &nothing);
    }
    skerry_await_answers(own);
    if (skerry_await_begun_gets) skerry_await_begun_gets();
    for (uint32_t cores = skerry_has_far_operations, core = 0; cores != 0; cores >>= 1, core++) {
        if (cores & 1 && &skerry_requesters[core] != own) await_answers_of(core);
    }
}

// -- Atomic operations -------------------------------------------------------------------------------------------------

uint32_t skerry_far_fetch_32(enum skerry_far_operation operation, const volatile void *word, uint32_t value,
                             uint32_t expected, int pe) {
    struct skerry_requester *requester = skerry_begin_operation(pe);
    const uint32_t words[] = {skerry_offset(word), value, 0, expected};
    if (operation == SKERRY_FAR_COMPARE_SWAP) skerry_send_job(requester, (uint32_t)operation, pe, 5, words);
    else skerry_send_job(requester, (uint32_t)operation, pe, 3, words);
    skerry_await_answers(requester);
    return (uint32_t)skerry_answers[skerry_core_of(requester)];
}

uint64_t skerry_far_fetch_64(enum skerry_far_operation operation, const volatile void *word, uint64_t value,
                             uint64_t expected, int pe) {
    struct skerry_requester *requester = skerry_begin_operation(pe);
    const uint32_t words[] = {skerry_offset(word), (uint32_t)value, (uint32_t)(value >> 32), (uint32_t)expected,
                              (uint32_t)(expected >> 32)};
    const uint32_t kind = SKERRY_MPPA_JOB_WIDE | (uint32_t)operation;
    if (operation == SKERRY_FAR_COMPARE_SWAP) skerry_send_job(requester, kind, pe, 6, words);
    else skerry_send_job(requester, kind, pe, 4, words);
    skerry_await_answers(requester);
    return skerry_answers[skerry_core_of(requester)];
}

// Does the rest of the next two functions if this core has begun puts (begun.c), or has no credit. They call it last, so
// they save no registers for it.
static __attribute__((noinline)) void change_later(uint32_t kind, const void *word, uint64_t value, int pe) {
    struct skerry_requester *requester = &skerry_requesters[skerry_worker_number];
    const uint32_t words[] = {skerry_offset(word), (uint32_t)value, (uint32_t)(value >> 32)};
    if (requester->has_begun && skerry_post_behind(requester, kind, pe, words)) return;
    skerry_send_job(requester, kind, pe, 4, words);
    requester->has_posted = true;
}

void skerry_far_change_32(enum skerry_far_operation operation, void *word, uint32_t value, int pe) {
    struct skerry_requester *requester = skerry_begin_operation(pe);
    if (requester->has_begun || !skerry_has_credit(requester)) {
        change_later((uint32_t)operation, word, value, pe);
        return;
    }
    const uint32_t words[] = {skerry_offset(word), value};
    skerry_send_job_at_once(requester, (uint32_t)operation, pe, 3, words);
    requester->has_posted = true;
}

void skerry_far_change_64(enum skerry_far_operation operation, void *word, uint64_t value, int pe) {
    struct skerry_requester *requester = skerry_begin_operation(pe);
    if (requester->has_begun || !skerry_has_credit(requester)) {
        change_later(SKERRY_MPPA_JOB_WIDE | (uint32_t)operation, word, value, pe);
        return;
    }
    const uint32_t words[] = {skerry_offset(word), (uint32_t)value, (uint32_t)(value >> 32)};
    skerry_send_job_at_once(requester, SKERRY_MPPA_JOB_WIDE | (uint32_t)operation, pe, 4, words);
    requester->has_posted = true;
}
