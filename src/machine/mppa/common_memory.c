// SPDX-License-Identifier: BSD-3-Clause
// Defines the common memories of a job of several programs (../contract/programs.h): parts of the two DDRs. A PE reaches the
// second one by jobs for the last PE and by its DMA unit, which run when the last PE has begun a program, or a server alone
// (programs.c). Then this PE sets a word at PE 0. It stays set: the server of a program that has ended still answers, and
// jobs that come between two programs wait in the rings. test/model/mppa_second_ddr.pml is a model of it.
#pragma GCC optimize "O2"
#include "../chip/chip.h"
#include "jobs.h"
#include "start.h"

SKERRY_MPPA_COMMON("always.memories") volatile uint32_t skerry_ddr_is_open;

void *skerry_common_memory(int number, size_t *bytes) {
    *bytes = SKERRY_MPPA_COMMON_BYTES;
    return (void *)(uintptr_t)(SKERRY_MPPA_COMMON_MEMORY + ((uint32_t)number << SKERRY_MPPA_DDR_SHIFT));
}

// The store is a put, so PE 0's server has nothing to do for it: it can be waiting for this store.
void skerry_open_ddr(void) {
    if (skerry_has_programs() && skerry_facts.my_pe == skerry_facts.pe_count - 1)
        skerry_atomic_store_32((uint32_t *)(uintptr_t)&skerry_ddr_is_open, 1, 0);
}

bool skerry_second_memory_is_open(void) {
    const int last = skerry_facts.pe_count - 1;
    if (skerry_is_running_pe(last)) return true;
    if (skerry_atomic_load_32((uint32_t *)(uintptr_t)&skerry_ddr_is_open, 0) == 0) return false;
    skerry_note_running(1u << last);
    return true;
}
