// SPDX-License-Identifier: BSD-3-Clause
// Loads and stores aligned words. A word of 1, 2, 4 or 8 bytes takes one access, and a word of 16 bytes takes two. The
// integer registers have only 4 bytes. So a word of 8 bytes is copied through a floating-point register, which does not
// change its bits.
#ifndef SKERRY_MACHINE_RISCV_WORD_H
#define SKERRY_MACHINE_RISCV_WORD_H

#include <stddef.h>
#include <stdint.h>

typedef double __attribute__((may_alias)) skerry_double_word;

// Without optimisation, compilers warn of the branches for words of other sizes, which are never executed.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wstringop-overread"
#pragma GCC diagnostic ignored "-Wstringop-overflow"

// Loads the word at `from`, in the memory of any core, and stores it to the object at `to` of this core. The load is an
// acquire: the core executes no later instruction before the value has arrived.
SKERRY_ALWAYS_INLINE void skerry_load_word(void *to, const volatile void *from, size_t bytes) {
    if (bytes == 1) *(uint8_t *)to = *(const volatile uint8_t *)from;
    if (bytes == 2) {
        uint16_t value = *(const volatile uint16_t *)from;
        __builtin_memcpy(to, &value, 2);
    }
    if (bytes == 4) {
        uint32_t value = *(const volatile uint32_t *)from;
        __builtin_memcpy(to, &value, 4);
    }
    for (size_t i = 0; i < bytes / 8; i++) {
        double value = ((const volatile skerry_double_word *)from)[i];
        __asm__("" : "+f"(value)); // keeps the compiler from two accesses by integer registers
        ((skerry_double_word *)to)[i] = value;
    }
    __asm__ volatile("" ::: "memory");
}

// Stores the object at `from` of this core to the word at `to`, in the memory of any core.
SKERRY_ALWAYS_INLINE void skerry_store_word(volatile void *to, const void *from, size_t bytes) {
    if (bytes == 1) *(volatile uint8_t *)to = *(const uint8_t *)from;
    if (bytes == 2) {
        uint16_t value;
        __builtin_memcpy(&value, from, 2);
        *(volatile uint16_t *)to = value;
    }
    if (bytes == 4) {
        uint32_t value;
        __builtin_memcpy(&value, from, 4);
        *(volatile uint32_t *)to = value;
    }
    for (size_t i = 0; i < bytes / 8; i++) {
        double value = ((const skerry_double_word *)from)[i];
        __asm__("" : "+f"(value));
        ((volatile skerry_double_word *)to)[i] = value;
    }
}

#pragma GCC diagnostic pop

#endif
