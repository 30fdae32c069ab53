// SPDX-License-Identifier: BSD-3-Clause
// What x86-64 does better than portable C says.
#ifndef SKERRY_MACHINE_LINUX_ARCH_X86_64_H
#define SKERRY_MACHINE_LINUX_ARCH_X86_64_H

#include <stdint.h>

// A locked read-modify-write of the stack is a full fence and cheaper than MFENCE on every processor measured
// (bench/limits/fence.c). At the end of the red zone, away from where calls store their return addresses: behind a copy of
// 4 KB it cost 9 ns at the stack's top and 0.3 here in most programs tried (docs/measured.md). Adds no bit, so whose word
// it is does not matter. Non-temporal stores are fenced where they are issued, in copy.c.
SKERRY_ALWAYS_INLINE void skerry_arch_full_fence(void) {
    __asm__ volatile("lock orl $0, -128(%%rsp)" ::: "memory", "cc");
}

// Loads and stores stay in order but for a store and a later load, which this fence does not order.
SKERRY_ALWAYS_INLINE void skerry_arch_fence(void) {
    __asm__ volatile("" ::: "memory");
}

SKERRY_ALWAYS_INLINE void skerry_arch_relax(void) {
    __asm__ volatile("pause" ::: "memory");
}

// By its name: compilers fetch for reading where they may not assume the instruction, which never faults.
SKERRY_ALWAYS_INLINE void skerry_arch_fetch_to_write(void *address) {
    __asm__ volatile("prefetchw %0" ::"m"(*(char *)address));
}

SKERRY_ALWAYS_INLINE uint64_t skerry_arch_ticks(void) {
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (uint64_t)high << 32 | low;
}

#endif
