// SPDX-License-Identifier: BSD-3-Clause
// Declares the functions that the files of the checks (check*.c) share: functions that report errors or describe
// memory.
#ifndef SKERRY_SHMEM_CHECK_INTERNAL_H
#define SKERRY_SHMEM_CHECK_INTERNAL_H

#include "collective.h"

// Prints `text` as an error message and ends the job. Each # in `text` stands for the next of the `count` values in
// decimal. Each @ stands for the next value as an address in hexadecimal. If several PEs find a fault at the same time,
// only one of them prints its message.
SKERRY_PRIVATE SKERRY_NORETURN void skerry_check_fail(const char *routine, const char *text, const long *values,
                                                      int count);
#define SKERRY_CHECK_FAIL(routine, text, ...)                                                                          \
    skerry_check_fail(routine, text, (long[]){__VA_ARGS__}, (int)(sizeof((long[]){__VA_ARGS__}) / sizeof(long)))

// Prints a warning and returns. A job prints at most one warning for each routine. With SKERRY_CHECK=strict the
// function ends the job as skerry_check_fail does.
SKERRY_PRIVATE void skerry_check_warn(const char *routine, const char *text, const long *values, int count);
// Writes a warning that a call has one array as its source and its destination. The specification forbids such a call,
// but this library gives the expected result.
SKERRY_PRIVATE void skerry_check_warn_in_place(const char *routine, const void *dest);

// An error message that is put together from pieces. Characters that do not fit into `at` are left out.
struct skerry_check_text {
    char at[512];
    size_t length;
};
SKERRY_PRIVATE void skerry_check_append(struct skerry_check_text *text, const char *piece);
SKERRY_PRIVATE void skerry_check_append_number(struct skerry_check_text *text, uint64_t number);
SKERRY_PRIVATE bool skerry_check_contains(const char *text, const char *piece);

// These functions take and release the lock of the checks' tables. The lock also protects the heap while a check reads
// the heap: any thread can call a checked routine at any time.
SKERRY_PRIVATE void skerry_check_enter(void);
SKERRY_PRIVATE void skerry_check_leave(void);

// Returns the place of a byte that this PE can load: a number that identifies the byte. For a byte in the symmetric
// memory of any PE the place is its global address (the same in every PE). For any other byte it is the address itself.
// So the symmetric address of an object and a pointer to this object from shmem_ptr have equal places.
SKERRY_PRIVATE uintptr_t skerry_check_place(const void *address);
SKERRY_PRIVATE bool skerry_check_overlap(uintptr_t first, size_t first_bytes, uintptr_t second, size_t second_bytes);

// Checks that argument `name` is an aligned symmetric address. From this address on, the object must have at least
// `count` elements of `size` bytes.
SKERRY_PRIVATE void skerry_check_symmetric(const char *routine, const char *name, const void *address, size_t count,
                                           size_t size);

// Checks that argument `name` is a symmetric address, aligned or not. From this address on, the object must have at
// least `count` elements of `size` bytes. A global address of any PE's object (shmemx_global) is a symmetric address too.
SKERRY_PRIVATE void skerry_check_elements(const char *routine, const char *name, const void *address, size_t count,
                                          size_t size);
// The same for a routine that loads from the address, or stores to it. So a global address must be one of this PE.
SKERRY_PRIVATE void skerry_check_own_elements(const char *routine, const char *name, const void *address, size_t count,
                                              size_t size);

// Checks that no pending non-blocking operation uses argument `name`, which is `bytes` bytes at `place`. Before a
// quiet, a program must not read or write the destination of such an operation, and must not write its source. `writes`
// is true if the routine writes the argument.
SKERRY_PRIVATE void skerry_check_not_pending(const char *routine, const char *name, uintptr_t place, size_t bytes,
                                             bool writes);
// Returns the context argument of a routine named shmem_ctx_..., and the default context for every other routine.
SKERRY_PRIVATE const struct skerry_context *skerry_check_context_of(const char *routine);

// The first words of the memory that skerry_check_memory returns. All words are zero when the job begins. Each PE has
// these words. All PEs use the words of PE 0, except `wanted` and `wanted_strictly` in a job of several nodes: the PEs
// of a node read these two words in the memory of the node's first PE (skerry_check_share), and
// `uses_global`, which each PE stores in its own memory.
#define SKERRY_CHECK_WARNINGS 32
struct skerry_check_job {
    uint64_t reported;                      // 1: a PE is writing the line that ends the job
    uint64_t wanted;                        // 1: the environment or the program of a PE asks for checks
    uint64_t wanted_strictly;               // 1: the environment of a PE asks for errors in place of warnings
    uint64_t uses_global;                   // 1: this PE has called shmemx_global
    uint64_t warned[SKERRY_CHECK_WARNINGS]; // hashes of the names of routines that have given a warning
};

// Returns the part of this PE's system memory (symmetric memory for the library's own use) that the checks use.
SKERRY_PRIVATE void *skerry_check_memory(void);

// Returns true if a PE of the job has called shmemx_global. If none has, a global address can only come from shmem_ptr,
// which returns the same address for a near PE.
SKERRY_PRIVATE bool skerry_check_uses_global(void);

#endif
