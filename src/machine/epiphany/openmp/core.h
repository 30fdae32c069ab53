// SPDX-License-Identifier: BSD-3-Clause
// Defines what the small OpenMP runtime (src/omp/small) needs of a core in addition to the contract of PEs. Each core is a
// PE, and thread number n of a region that is not nested runs on PE n.
#ifndef SKERRY_MACHINE_EPIPHANY_OPENMP_CORE_H
#define SKERRY_MACHINE_EPIPHANY_OPENMP_CORE_H

#include "../internal.h"

// The library's ordinary variables lie in each core's memory, at the same short address in every core. A variable with
// this attribute exists once, in the first core's memory, at a global address. Its initial value is 0.
#define SKERRY_SHARED_WORD __attribute__((section(".skerry.shared,\"aw\",@nobits;")))

// Sets the word to a value that is not 0, and returns the old value, if the old value was 0. Otherwise changes nothing and
// returns the word. Atomic. The word must be in a core's memory: external memory has no such operation.
SKERRY_ALWAYS_INLINE uint32_t skerry_test_and_set(volatile uint32_t *word) {
    uint32_t before = 1;
    __asm__ volatile("testset %0, [%1, %2]" : "+r"(before) : "r"(word), "r"(0) : "memory", "cc");
    return before;
}

// Stores 1 to four bytes, whose addresses are in an array at a multiple of 8, plus `distance`, a constant below 2048. Two
// instructions load the addresses, and none uses the result of the instruction before it.
#define skerry_store_four(BYTES, DISTANCE)                                                                             \
    __asm__ volatile("ldrd r16, [%0]\n\tldrd r18, [%0, #1]\n\t"                                                        \
                     "strb %1, [r16, %2]\n\tstrb %1, [r17, %2]\n\tstrb %1, [r18, %2]\n\tstrb %1, [r19, %2]"            \
                     :                                                                                                 \
                     : "r"(BYTES), "r"(1), "i"(DISTANCE)                                                               \
                     : "r16", "r17", "r18", "r19", "memory")

// The same for sixteen bytes.
#define skerry_store_sixteen(BYTES, DISTANCE)                                                                          \
    __asm__ volatile("ldrd r16, [%0]\n\tldrd r18, [%0, #1]\n\tldrd r20, [%0, #2]\n\tldrd r22, [%0, #3]\n\t"            \
                     "strb %1, [r16, %2]\n\tstrb %1, [r17, %2]\n\tldrd r16, [%0, #4]\n\t"                              \
                     "strb %1, [r18, %2]\n\tstrb %1, [r19, %2]\n\tldrd r18, [%0, #5]\n\t"                              \
                     "strb %1, [r20, %2]\n\tstrb %1, [r21, %2]\n\tldrd r20, [%0, #6]\n\t"                              \
                     "strb %1, [r22, %2]\n\tstrb %1, [r23, %2]\n\tldrd r22, [%0, #7]\n\t"                              \
                     "strb %1, [r16, %2]\n\tstrb %1, [r17, %2]\n\tstrb %1, [r18, %2]\n\tstrb %1, [r19, %2]\n\t"        \
                     "strb %1, [r20, %2]\n\tstrb %1, [r21, %2]\n\tstrb %1, [r22, %2]\n\tstrb %1, [r23, %2]"            \
                     :                                                                                                 \
                     : "r"(BYTES), "r"(1), "i"(DISTANCE)                                                               \
                     : "r16", "r17", "r18", "r19", "r20", "r21", "r22", "r23", "memory")

// Returns the number of bytes between the stack pointer and the lowest address that the stack may have.
extern char skerry_stack_limit[] __asm__("__stack_limit");
SKERRY_ALWAYS_INLINE size_t skerry_stack_left(void) {
    uintptr_t stack_pointer;
    __asm__ volatile("mov %0, sp" : "=r"(stack_pointer));
    return (stack_pointer & SKERRY_PARTITION_MASK) - (uintptr_t)skerry_stack_limit;
}

// Returns when this core's stores to external memory have arrived (outside.c explains why a load is enough). Takes a
// round trip of some 540 cycles.
void skerry_complete_external(void);

// Writes "libgomp: " and the text as one line, and ends the job with exit code 1.
SKERRY_NORETURN void skerry_stop(const char *text);

// Writes "libgomp: " and the texts, up to a NULL, as one line to the error output.
void skerry_print_line(const char *const *texts) SKERRY_COLD;

// Returns the value of an environment variable, or NULL.
const char *skerry_environment(const char *name) SKERRY_COLD;

#endif
