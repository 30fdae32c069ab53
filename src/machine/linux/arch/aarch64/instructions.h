// SPDX-License-Identifier: BSD-3-Clause
// Defines the fences, the pause, the prefetch and the tick counter of 64-bit Arm by instructions that portable C cannot
// express.
#ifndef SKERRY_MACHINE_LINUX_ARCH_AARCH64_INSTRUCTIONS_H
#define SKERRY_MACHINE_LINUX_ARCH_AARCH64_INSTRUCTIONS_H

#include <stdint.h>

SKERRY_ALWAYS_INLINE void skerry_arch_full_fence(void) {
    __asm__ volatile("dmb ish" ::: "memory");
}

SKERRY_ALWAYS_INLINE void skerry_arch_fence(void) {
    __asm__ volatile("dmb ish" ::: "memory");
}

SKERRY_ALWAYS_INLINE void skerry_arch_relax(void) {
    __asm__ volatile("yield" ::: "memory");
}

SKERRY_ALWAYS_INLINE void skerry_arch_fetch_to_write(void *address) {
    __builtin_prefetch(address, 1);
}

SKERRY_ALWAYS_INLINE uint64_t skerry_arch_ticks(void) {
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks)::"memory");
    return ticks;
}

#endif
