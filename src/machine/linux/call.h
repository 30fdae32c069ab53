// SPDX-License-Identifier: BSD-3-Clause
// Makes function calls with arguments in registers across PEs. A thunk is the code that the program calls in place of a
// remote function. It saves the registers in which the calling convention passes arguments, whatever the arguments'
// types, and skerry_apply makes the call in another PE. All arguments and results in registers are transferred.
// Arguments that the convention puts on the stack are not.
#ifndef SKERRY_MACHINE_LINUX_CALL_H
#define SKERRY_MACHINE_LINUX_CALL_H

#include <stddef.h>
#include <stdint.h>

#include "arch/call.h"

#define SKERRY_SYMBOL(NAME) __asm__(NAME) // gives a declared object or function this name in object files

// Kinds of results: they say in which registers the convention returns a result.
enum skerry_call_kind {
    SKERRY_CALL_NOTHING,
    SKERRY_CALL_INTEGER, // an integer or a pointer
    SKERRY_CALL_REAL,    // in a vector register
    SKERRY_CALL_LONG_REAL,
    SKERRY_CALL_COMPLEX,
    SKERRY_CALL_OTHER // structs and vectors: only the compiler knows their registers
};

// A function that other PEs may call. Each RPC(f) defines one such object, in the image (executable or shared library)
// that contains it.
struct skerry_function {
    void (*code)(void); // first member, because the thunks' code reads it
    const char *name;   // name and file together identify the function
    const char *file;
    // Number of the function, equal in all PEs, even if their images are at different addresses; 0: not registered.
    uint32_t id;
    uint32_t takes_block;         // 1: the second argument is a block, and the third is its size in bytes
    struct skerry_function *next; // next function at the same place in the table of functions
    uint32_t stacked;             // number of values that skerry_rpc_keep_entry pushes on the x87 stack
};

// Contents of the registers that hold arguments.
struct skerry_vectors {
    uint64_t low[8];  // lower halves of the vector registers that hold floating-point arguments
    uint64_t high[8]; // upper halves; not 0 only for floating-point types of 16 bytes
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
    // Number and note (32 more bits) of the reply that carries the results, as primitive/mailbox.h uses them. The PE
    // that replies stores them last, on the cache line of the results.
    uint32_t number __attribute__((aligned(8)));
    uint32_t note;
    long double stack[2];
};

enum { SKERRY_CALL_LOW = 1, SKERRY_CALL_HIGH = 2 }; // flags: halves of the vector arguments that were sent

// Stores in FUNCTION how many results of this kind and size are on the x87 stack, unless there are none. Used with
// calls whose result the program ignores: the thunk's entry reads `stacked`.
#define SKERRY_CALL_NOTE(FUNCTION, KIND, BYTES)                                                                        \
    ((void)(SKERRY_CALL_STACKED(KIND, BYTES) && ((FUNCTION).stacked = SKERRY_CALL_STACKED(KIND, BYTES))))

// Stores a result of this kind at `value`, in the form that its type has in memory.
void skerry_call_result(const struct skerry_results *results, enum skerry_call_kind kind, void *value, size_t bytes);

// Calls `code` with the arguments and stores its results. `halves`: flags (SKERRY_CALL_LOW, SKERRY_CALL_HIGH) of the
// halves of the vector arguments that are loaded from `vectors`; the other halves are 0.
void skerry_apply(void (*code)(void), const uint64_t *integers, const struct skerry_vectors *vectors, unsigned halves,
                  struct skerry_results *results);

#endif
