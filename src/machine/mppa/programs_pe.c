// SPDX-License-Identifier: BSD-3-Clause
// Begins and ends this PE in a job of several programs (programs.c). PE 0 has the words that say which PEs run a program.
// * A PE joins when its program can execute messages: it sets its bit at PE 0. Another PE loads this word before it sends
//   the first packet to the PE. So the PE's DMA unit has been set up before. PE 0 has been set up before all others.
// * A PE that ends clears its bit at PE 0, and tells all PEs whose bits were set. A PE that joins later does not find the bit.
//   A PE that has loaded the word before, and stores it afterwards, believes that the program runs. This does no harm,
//   because the server of an ended program still answers.
#pragma GCC optimize "O2"
#include "../chip/chip.h"
#include "jobs.h"
#include "start.h"

// Numbers of the I/O programs for users.
#define FIRST_IO 128
#define SECOND_IO 192

SKERRY_MPPA_COMMON("always.programs") volatile uint32_t skerry_joined_pes;
SKERRY_MPPA_COMMON("always.programs") volatile uint32_t skerry_outcomes[SKERRY_PES_MAX];

static uint32_t *joined(void) {
    return (uint32_t *)(uintptr_t)&skerry_joined_pes;
}

void skerry_note_running(uint32_t pes) {
    __atomic_fetch_or((uint32_t *)(uintptr_t)&skerry_running_pes, pes, __ATOMIC_RELEASE);
}

// PE 0's word has PEs whose programs run. Their memory is accessible.
static void note_programs(uint32_t pes) {
    const uint32_t last = 1u << (skerry_facts.pe_count - 1);
    skerry_note_running(pes & last ? pes | SKERRY_MPPA_LAST_RUNS : pes);
}

void skerry_join_programs(void) {
    const uint32_t bit = 1u << skerry_facts.my_pe;
    static uint32_t has_joined;
    if (__atomic_exchange_n(&has_joined, 1, __ATOMIC_RELAXED)) return;
    note_programs(skerry_atomic_fetch_or_32(joined(), bit, 0));
}

static bool is_running_program(int pe) {
    return (skerry_running_pes & skerry_bit_of_program(pe)) != 0;
}

bool skerry_far_is_running(int pe) {
    if (!skerry_has_programs() || is_running_program(pe)) return is_running_program(pe);
    note_programs(skerry_atomic_load_32(joined(), 0));
    return is_running_program(pe);
}

uint32_t skerry_programs_running(void) {
    uint32_t outcomes[SKERRY_PES_MAX], running = 0;
    skerry_get(outcomes, (const void *)(uintptr_t)skerry_outcomes, sizeof outcomes, 0);
    for (int pe = 1; pe < SKERRY_PES_MAX; pe++)
        if ((outcomes[pe] & SKERRY_OUTCOME_STATE) == SKERRY_PROGRAM_RUNS) running |= 1u << pe;
    return running;
}

bool skerry_is_only_thread(void) {
    return skerry_only_main_works();
}

#define ABORT 6 // SIGABRT

void skerry_end_by_signal(int signal, int thread) {
    const char *routine = signal == ABORT ? "abort" : "raise";
    const int pe = skerry_facts.my_pe, last = skerry_facts.pe_count - 1;
    const bool is_io = pe == 0 || pe == last;
    const long server = !is_io ? pe - 1 : pe == 0 ? FIRST_IO : SECOND_IO;
    const char *text = !skerry_has_programs() ? "signal # of thread # kills this program; job stopped"
                       : is_io                ? "signal # of thread # kills the program of I/O #; job stopped"
                                              : "signal # of thread # kills the program of cluster #; job stopped";
    skerry_write_line(routine, text, (long[]){signal, thread, server}, 3);
    skerry_host_end_job(128 + signal);
}

// Operations of other threads of this PE stop the job from now on, because this PE knows no running PE.
void skerry_program_end(int status) {
    const int me = skerry_facts.my_pe;
    if (me == 0 && status == 0) skerry_await_programs();
    if (me == 0) skerry_host_end_job(status);
    struct skerry_requester *own = skerry_own_requester();
    skerry_quiet();
    const uint32_t running = skerry_atomic_fetch_and_32(joined(), ~(1u << me), 0);
    skerry_server_ended = 1;
    for (int pe = 0; pe < skerry_facts.pe_count; pe++) {
        const uint32_t nothing = 0;
        if (pe != me && running >> pe & 1) skerry_send_job(own, SKERRY_MPPA_JOB_ENDED, pe, 2, &nothing);
    }
    skerry_await_answers(own);
    const uint32_t outcome = SKERRY_PROGRAM_ENDED | (uint32_t)(status & 0xff) << SKERRY_OUTCOME_CODE_SHIFT;
    skerry_atomic_store_32((void *)(uintptr_t)&skerry_outcomes[me], outcome, 0);
    skerry_quiet();
    skerry_running_pes = 0;
    for (;;) __asm__ volatile("wfi" ::: "memory");
}
