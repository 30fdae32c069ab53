// SPDX-License-Identifier: BSD-3-Clause
// Defines the fences, the pause, the prefetch and the tick counter of x86-64 by instructions that portable C cannot
// express.
#ifndef SKERRY_MACHINE_LINUX_ARCH_X86_64_INSTRUCTIONS_H
#define SKERRY_MACHINE_LINUX_ARCH_X86_64_INSTRUCTIONS_H

#include <stdint.h>

// Executes a full fence by a locked read-modify-write of a word of the stack. On every processor measured this takes
// less time than MFENCE (bench/limits/fence.c). The instruction ORs 0 into the word, so it changes no bit. Non-temporal
// stores do not need this fence, because copy.c fences them itself.
//
// Which word: the last word of the red zone, 128 bytes below the stack pointer. It is away from the place where calls
// store their return addresses. In most programs tried, a copy of 4 KB and the fence after it took 45 ns. With the word
// at the stack pointer they took 55 ns (docs/measured.md).
SKERRY_ALWAYS_INLINE void skerry_arch_full_fence(void) {
    __asm__ volatile("lock orl $0, -128(%%rsp)" ::: "memory", "cc");
}

// Keeps the compiler from reordering, and adds no instruction. The processor itself keeps all loads and stores in
// order, with one exception: a load can pass an earlier store. This fence does not prevent that exception.
SKERRY_ALWAYS_INLINE void skerry_arch_fence(void) {
    __asm__ volatile("" ::: "memory");
}

SKERRY_ALWAYS_INLINE void skerry_arch_relax(void) {
    __asm__ volatile("pause" ::: "memory");
}

// Prefetches a line for writing. Never faults. Written in assembly for this reason: if the compiler cannot assume that
// the processor has PREFETCHW, its builtin becomes a prefetch for reading.
SKERRY_ALWAYS_INLINE void skerry_arch_fetch_to_write(void *address) {
    __asm__ volatile("prefetchw %0" ::"m"(*(char *)address));
}

SKERRY_ALWAYS_INLINE uint64_t skerry_arch_ticks(void) {
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (uint64_t)high << 32 | low;
}

#endif
