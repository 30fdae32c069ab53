// SPDX-License-Identifier: BSD-3-Clause
// Defines operations of one core on its own cluster: atomic operations that need more than one instruction, the number of
// the thread, and requests to the host.
#pragma GCC optimize "O2"
#include "../chip/chip.h"
#include "host.h" // ../riscv
#include "jobs.h"

int skerry_host_write(int file, const void *bytes, size_t count) {
    return (int)skerry_host_request(SKERRY_HOST_WRITE, file, (long)bytes, (long)count);
}

void skerry_host_end_job(int status) {
    for (;;) skerry_host_request(SKERRY_HOST_END_JOB, status, 0, 0);
}

uint64_t skerry_ticks_per_second(void) {
    return skerry_job.clock;
}

int skerry_thread_number(void) {
    return skerry_worker_number;
}

uintptr_t skerry_thread_identity(void) {
    return (uintptr_t)skerry_worker_number + 1;
}

// -- Atomic operations -------------------------------------------------------------------------------------------------

uint32_t skerry_near_compare_swap_32(uint32_t *word, uint32_t expected, uint32_t value) {
    __atomic_compare_exchange_n(word, &expected, value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    return expected;
}

// Repeats the compare-swap only if another core of this cluster has changed the word within a few cycles.
uint32_t skerry_near_swap_upper_32(uint32_t *word, uint32_t value) {
    uint32_t old = __atomic_load_n(word, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(word, &old, (old & 0xffffu) | (value & 0xffff0000u), true, __ATOMIC_ACQ_REL,
                                        __ATOMIC_RELAXED)) {
    }
    return old;
}

uint32_t skerry_atomic_swap_upper_32(void *word, uint32_t value, int pe) {
    if (skerry_is_near(pe)) return skerry_near_swap_upper_32((uint32_t *)skerry_localize(word), value);
    return skerry_far_fetch_32((enum skerry_far_operation)SKERRY_MPPA_JOB_SWAP_UPPER, word, value, 0, pe);
}

static uint32_t lock_64; // held by one core of this PE, the server included

uint64_t skerry_near_change_64(enum skerry_far_operation operation, void *word, uint64_t value, uint64_t expected) {
    uint64_t old, after = value;
    while (__atomic_exchange_n(&lock_64, 1, __ATOMIC_ACQUIRE) != 0) {
    }
    skerry_load_word(&old, word, sizeof old);
    switch (operation) {
    case SKERRY_FAR_LOAD: after = old; break;
    case SKERRY_FAR_SWAP:
    case SKERRY_FAR_STORE: break;
    case SKERRY_FAR_COMPARE_SWAP: after = old == expected ? value : old; break;
    case SKERRY_FAR_FETCH_ADD:
    case SKERRY_FAR_ADD: after = old + value; break;
    case SKERRY_FAR_FETCH_AND:
    case SKERRY_FAR_AND: after = old & value; break;
    case SKERRY_FAR_FETCH_OR:
    case SKERRY_FAR_OR: after = old | value; break;
    case SKERRY_FAR_FETCH_XOR:
    case SKERRY_FAR_XOR: after = old ^ value; break;
    }
    if (operation != SKERRY_FAR_LOAD) skerry_store_word(word, &after, sizeof after);
    __asm__ volatile("fence rw, w" ::: "memory");
    *(volatile uint32_t *)&lock_64 = 0;
    return old;
}

void skerry_atomic_store_64(void *word, uint64_t value, int pe) {
    if (skerry_is_near(pe)) (void)skerry_near_change_64(SKERRY_FAR_STORE, skerry_localize(word), value, 0);
    else skerry_far_change_64(SKERRY_FAR_STORE, word, value, pe);
}
