// SPDX-License-Identifier: BSD-3-Clause
// Calls by registers: a thunk takes the arguments of a call where the calling convention has put them, whatever their types,
// and skerry_apply makes the call elsewhere. Everything that travels in registers is carried; what the convention puts on
// the stack is not.
#ifndef SKERRY_MACHINE_LINUX_CALL_H
#define SKERRY_MACHINE_LINUX_CALL_H

#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__)
#include "arch/x86_64/call.h"
#elif defined(__aarch64__)
#include "arch/aarch64/call.h"
#endif

#define SKERRY_SYMBOL(NAME) __asm__(NAME) // the name of a declared object or function in object files

// The floors above tell results apart by kind.
enum skerry_call_kind {
    SKERRY_CALL_NOTHING,
    SKERRY_CALL_INTEGER, // or pointer
    SKERRY_CALL_REAL,    // in a vector register
    SKERRY_CALL_LONG_REAL,
    SKERRY_CALL_COMPLEX,
    SKERRY_CALL_OTHER // structs, vectors: what registers they have, the compiler knows
};

// A function that may be called from other PEs; one for each RPC(f), in the image that defines it.
struct skerry_function {
    void (*code)(void); // read by the thunks' code: stands first
    const char *name;   // with the file's, tells it from others
    const char *file;
    uint32_t id;                  // the same in every PE, whatever addresses its image has; 0: not registered
    uint32_t takes_block;         // its second argument is a block of so many bytes as the third says
    struct skerry_function *next; // of those with the same place in the table
    uint32_t stacked;             // results on the x87 stack, which whoever keeps a call must leave there
};

// Registers that hold arguments.
struct skerry_vectors {
    uint64_t low[8];  // halves of the vector registers that take floating-point arguments
    uint64_t high[8]; // not 0 only in 16-byte floating-point types
};
struct skerry_arguments {
    uint64_t integers[SKERRY_CALL_INTEGERS];
    struct skerry_vectors vectors;
};

struct skerry_results {
    uint64_t integers[2];
    uint64_t vectors[SKERRY_CALL_VECTOR_RESULTS][2];
    uint32_t stacked; // results on the x87 stack
    uint32_t reserved;
    uint32_t number __attribute__((
        aligned(8))); // of a message that carries the results, and its note: stored last, on the same line
    uint32_t note;
    long double stack[2];
};

enum { SKERRY_CALL_LOW = 1, SKERRY_CALL_HIGH = 2 }; // which halves of the arguments are there

// Of a call whose result is not taken: the first time that its type is seen it is noted where the thunk finds it.
#define SKERRY_CALL_NOTE(FUNCTION, KIND, BYTES)                                                                        \
    ((void)(SKERRY_CALL_STACKED(KIND, BYTES) && ((FUNCTION).stacked = SKERRY_CALL_STACKED(KIND, BYTES))))

// A result of a kind, as its type lies in memory.
void skerry_call_result(const struct skerry_results *results, enum skerry_call_kind kind, void *value, size_t bytes);

// Calls `code` with the arguments and stores its results.
void skerry_apply(void (*code)(void), const uint64_t *integers, const struct skerry_vectors *vectors, unsigned halves,
                  struct skerry_results *results);

#endif
