// SPDX-License-Identifier: BSD-3-Clause
// Fences, pause, prefetch and ticks of x86-64, with instructions that portable C cannot name.
#ifndef SKERRY_MACHINE_LINUX_ARCH_X86_64_H
#define SKERRY_MACHINE_LINUX_ARCH_X86_64_H

#include <stdint.h>

// A locked read-modify-write of the stack is a full fence, and cheaper than MFENCE on every processor measured
// (bench/limits/fence.c). The word is at the end of the red zone, away from the place where calls store their return
// addresses: behind a copy of 4 KB the fence cost 9 ns at the stack's top and 0.3 ns here in most programs tried
// (docs/measured.md). It ORs 0 and so changes no bit: the word may belong to anybody. This fence is not needed for
// non-temporal stores: copy.c fences them where it issues them.
SKERRY_ALWAYS_INLINE void skerry_arch_full_fence(void) {
    __asm__ volatile("lock orl $0, -128(%%rsp)" ::: "memory", "cc");
}

// The processor keeps all loads and stores in order except a store and a later load. This fence does not order that
// pair either.
SKERRY_ALWAYS_INLINE void skerry_arch_fence(void) {
    __asm__ volatile("" ::: "memory");
}

SKERRY_ALWAYS_INLINE void skerry_arch_relax(void) {
    __asm__ volatile("pause" ::: "memory");
}

// Assembly, not a builtin: a compiler that may not assume PREFETCHW prefetches for reading instead. The instruction
// never faults.
SKERRY_ALWAYS_INLINE void skerry_arch_fetch_to_write(void *address) {
    __asm__ volatile("prefetchw %0" ::"m"(*(char *)address));
}

SKERRY_ALWAYS_INLINE uint64_t skerry_arch_ticks(void) {
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (uint64_t)high << 32 | low;
}

#endif
