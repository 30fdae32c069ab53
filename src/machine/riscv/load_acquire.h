// SPDX-License-Identifier: BSD-3-Clause
// Defines SKERRY_LOAD_ACQUIRE for PEs on RISC-V cores, in C and C++.
#ifndef SKERRY_MACHINE_RISCV_LOAD_ACQUIRE_H
#define SKERRY_MACHINE_RISCV_LOAD_ACQUIRE_H

#include "word.h"

// Loads *(word), which has at most 8 bytes and is aligned, by one instruction. The core executes no later instruction
// before the value has arrived.
#ifdef __cplusplus
extern "C++" {
template <typename T> static inline __attribute__((always_inline)) T skerry_load_acquire(const volatile T *word) {
    T loaded;
    skerry_load_word(&loaded, word, sizeof loaded);
    return loaded;
}
}
#define SKERRY_LOAD_ACQUIRE(word) skerry_load_acquire(word)
#else
#define SKERRY_LOAD_ACQUIRE(word)                                                                                      \
    __extension__({                                                                                                    \
        __typeof__(*(word)) skerry_loaded;                                                                             \
        skerry_load_word((void *)&skerry_loaded, (word), sizeof skerry_loaded);                                        \
        skerry_loaded;                                                                                                 \
    })
#endif

#endif
