// SPDX-License-Identifier: BSD-3-Clause
// Defines a lock in a memory of mutexes, which serves one access at a time (variants.c).
#ifndef SKERRY_BENCH_CHIP_VARIANTS_MUTEX_H
#define SKERRY_BENCH_CHIP_VARIANTS_MUTEX_H

#include "variants_hardware.h"

// Words of the memory of mutexes.
static struct { uint32_t mutex, count, sense; } *const shared = (void *)MUTEXES;

static inline void lock_mutex(void) {
    while (__atomic_exchange_n(&shared->mutex, 1, __ATOMIC_RELAXED) != 0) {
    }
    __asm__ volatile("" ::: "memory");
}

static inline void unlock_mutex(void) {
    *(volatile uint32_t *)&shared->mutex = 0;
}

#endif
