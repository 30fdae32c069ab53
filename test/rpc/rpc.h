// SPDX-License-Identifier: BSD-3-Clause
// What the tests of remote procedure calls share.
#ifndef SKERRY_TEST_RPC_RPC_H
#define SKERRY_TEST_RPC_RPC_H

#include "../shmem/test.h"

#include <shmemx.h>

// The global address of an object of a PE, near or far. On a chip shmem_ptr gives it, and a program has it anyway.
#ifdef __epiphany__
#define address_at(object, pe) shmem_ptr(object, pe)
#else
#define address_at(object, pe) shmemx_global(object, pe)
#endif

// Whether a PE is of another node. Its data cannot be accessed by loads and stores, so its calls never run here.
TEST_UNUSED static bool is_far(int pe) {
    return shmem_pe_accessible(pe) && shmem_ptr(&me, pe) == NULL;
}

// This PE's counters, as one value.
TEST_UNUSED static shmemx_rpc_counters_t counters(void) {
    shmemx_rpc_counters_t now;
    shmemx_rpc_get_counters(&now);
    return now;
}

// Adds to a word of this PE's or, where the caller runs the function, of another's; returns the sum.
TEST_UNUSED static long add_to(long *at, long value) {
#ifdef __epiphany__ // whose one atomic instruction is TESTSET: atomics of C are so against interrupts only
    return shmem_long_atomic_fetch_add(skerry_localize(at), value, skerry_owner(at)) + value;
#else
    return __atomic_add_fetch(localize(at), value, __ATOMIC_RELAXED);
#endif
}

#ifdef CLOCK_MONOTONIC // a chip has no such clock
// Computes, without a call into any library, until the word is not 0; false: it stayed 0 for a long time. What wakes it
// must have interrupted it.
TEST_UNUSED static bool compute_until(const long *word, long seconds) {
    struct timespec began, now;
    clock_gettime(CLOCK_MONOTONIC, &began); // on Linux no system call, and no wait
    do {
        for (int i = 0; i < 1000; i++)
            if (__atomic_load_n(word, __ATOMIC_ACQUIRE)) return true;
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while (now.tv_sec - began.tv_sec < seconds);
    return false;
}
#endif

#endif
