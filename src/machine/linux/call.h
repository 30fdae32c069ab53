// SPDX-License-Identifier: BSD-3-Clause
// Defines the Linux part of remote procedure calls (contract/call.h): structs for the contents of the registers in
// which a function gets its arguments and returns its results.
#ifndef SKERRY_MACHINE_LINUX_CALL_H
#define SKERRY_MACHINE_LINUX_CALL_H

#include <stddef.h>
#include <stdint.h>

#include "arch/call.h"
#include "machine.h"

#define SKERRY_CALL_RINGS 0
#define SKERRY_SYMBOL(NAME) __asm__(NAME)

// Contents of the registers that hold arguments.
struct skerry_vectors {
    uint64_t low[8];  // lower halves of the vector registers that hold floating-point arguments
    uint64_t high[8]; // upper halves: 0, except for floating-point types of 16 bytes
};
struct skerry_arguments {
    uint64_t integers[SKERRY_CALL_INTEGERS];
    struct skerry_vectors vectors;
};

struct skerry_results {
    uint64_t integers[2];
    uint64_t vectors[SKERRY_CALL_VECTOR_RESULTS][2];
    uint32_t stacked; // number of results on the x87 stack
    uint32_t reserved;
    // The words `number` and `note` belong to src/rpc/queue, which stores both after the results. They lie on the cache
    // line of the results, so that results and words travel together.
    uint32_t number __attribute__((aligned(8)));
    uint32_t note;
    long double stack[2];
};

enum { SKERRY_CALL_LOW = 1, SKERRY_CALL_HIGH = 2 }; // flags: halves of the vector arguments that were sent

// Stores a number in the object FUNCTION: how many registers of the x87 stack a result of this kind and size takes. If
// the number is 0, stores nothing.
#define SKERRY_CALL_NOTE(FUNCTION, KIND, BYTES)                                                                        \
    ((void)(SKERRY_CALL_STACKED(KIND, BYTES) && ((FUNCTION).stacked = SKERRY_CALL_STACKED(KIND, BYTES))))

SKERRY_ALWAYS_INLINE void *skerry_own_address(const volatile void *pointer) {
    bool is_own = skerry_global(pointer, skerry_my_pe()) == pointer;
    return is_own ? skerry_localize(pointer) : (void *)(uintptr_t)pointer;
}

#ifdef SKERRY_BUILD
#include "arch/entry.h"
#endif

#endif
