// SPDX-License-Identifier: BSD-3-Clause
// Defines this machine's part of remote procedure calls (contract/call.h). On this chip a function returns a result of
// any kind in r0 and r1. So SKERRY_CALL_NOTE, which records the kind of a result, does nothing.
#ifndef SKERRY_MACHINE_EPIPHANY_CALL_H
#define SKERRY_MACHINE_EPIPHANY_CALL_H

#include "interrupt.h"
#include "machine.h"

#define SKERRY_CALL_RINGS 1
#define SKERRY_CALL_ASSEMBLY 1
#define SKERRY_CALL_INTEGERS 4 // 32-bit words: r0 to r3, with floating-point numbers too
#define SKERRY_CALL_REALS 0

typedef uint64_t __attribute__((may_alias)) skerry_double_word;

// The registers that can contain arguments are r0 to r3. The registers that can contain the result are r0 and r1.
struct skerry_arguments {
    _Alignas(8) uint32_t integers[4];
};
struct skerry_results {
    _Alignas(8) uint64_t integers;
};
#define SKERRY_CALL_NOTE(FUNCTION, KIND, BYTES) ((void)0)

// Defines a thunk, which the program calls in place of a remote function. The thunk's three instructions load the
// address of OBJECT into register ip and jump to ENTRY.
#define SKERRY_THUNK(NAME, OBJECT, ENTRY)                                                                              \
    __asm__(".section .text." NAME ",\"ax\"\n"                                                                         \
            ".balign 4\n"                                                                                              \
            ".global _" NAME "\n"                                                                                      \
            ".type _" NAME ", STT_FUNC\n"                                                                              \
            "_" NAME ":\n"                                                                                             \
            "mov ip, %low(_" OBJECT ")\n"                                                                              \
            "movt ip, %high(_" OBJECT ")\n"                                                                            \
            "b _" ENTRY "\n"                                                                                           \
            ".size _" NAME ", . - _" NAME "\n"                                                                         \
            ".text");

#define SKERRY_SYMBOL(name) __asm__(name)
#define SKERRY_NEEDS_SYMBOL(name) __asm__ volatile(".global _" name)
#define SKERRY_IF_LINKED __attribute__((weak))
#define SKERRY_LINKER_NUMBER(name, value) __asm__(".global " #name "\n.set " #name ", " #value);
#define SKERRY_LINKER_DEFAULT(name, value) SKERRY_LINKER_DEFAULT_(name, value)
#define SKERRY_LINKER_DEFAULT_(name, value) __asm__(".weak " #name "\n.set " #name ", " #value);

// Returns the short address (the offset in this core's memory) of a pointer into this core's own memory. This core
// accesses a short address without the network. Returns any other pointer unchanged.
SKERRY_ALWAYS_INLINE void *skerry_own_address(const volatile void *pointer) {
    uint32_t core;
    __asm__("movfs %0, coreid" : "=r"(core));
    uintptr_t offset = (uintptr_t)pointer - (core << SKERRY_PARTITION_SHIFT);
    return (void *)(offset <= SKERRY_PARTITION_MASK ? offset : (uintptr_t)pointer);
}

SKERRY_ALWAYS_INLINE void skerry_apply_arguments(uintptr_t code, const struct skerry_arguments *arguments,
                                                 struct skerry_results *results) {
    const uint32_t *integers = arguments->integers;
    results->integers =
        ((uint64_t(*)(uint32_t, uint32_t, uint32_t, uint32_t))code)(integers[0], integers[1], integers[2], integers[3]);
}

SKERRY_ALWAYS_INLINE void skerry_call_result(const struct skerry_results *results, int kind, void *value,
                                             size_t bytes) {
    (void)kind;
    for (size_t i = 0; i < bytes; i++) ((char *)value)[i] = ((const char *)&results->integers)[i];
}

#endif
