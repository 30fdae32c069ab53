// SPDX-License-Identifier: BSD-3-Clause
// What the files of the checks share: how they report, and how they name memory.
#ifndef SKERRY_SHMEM_CHECK_INTERNAL_H
#define SKERRY_SHMEM_CHECK_INTERNAL_H

#include "collective.h"

// Writes the line and ends the job. Of several PEs that find the same fault at once, one writes.
SKERRY_PRIVATE SKERRY_NORETURN void skerry_check_fail(const char *routine, const char *text, const long *values,
                                                      int count);
#define SKERRY_CHECK_FAIL(routine, text, ...)                                                                          \
    skerry_check_fail(routine, text, (long[]){__VA_ARGS__}, (int)(sizeof((long[]){__VA_ARGS__}) / sizeof(long)))

// Writes the line as a warning, for each routine once a job, and goes on; by SKERRY_CHECK=strict it ends the job as above.
SKERRY_PRIVATE void skerry_check_warn(const char *routine, const char *text, const long *values, int count);
// The source of a call is its destination, to the byte, and so nothing goes wrong here.
SKERRY_PRIVATE void skerry_check_warn_in_place(const char *routine, const void *dest);

// A text put together from pieces; what does not fit is left out.
struct skerry_check_text {
    char at[512];
    size_t length;
};
SKERRY_PRIVATE void skerry_check_append(struct skerry_check_text *text, const char *piece);
SKERRY_PRIVATE void skerry_check_append_number(struct skerry_check_text *text, uint64_t number);
SKERRY_PRIVATE bool skerry_check_contains(const char *text, const char *piece);

// A lock around the tables of the checks, and around the heap while it is checked: threads come at any time.
SKERRY_PRIVATE void skerry_check_enter(void);
SKERRY_PRIVATE void skerry_check_leave(void);

// The place of a byte that this PE can load: its global address if it is anybody's symmetric memory, so that a
// symmetric address and a pointer to the same object from shmem_ptr are the same place.
SKERRY_PRIVATE uintptr_t skerry_check_place(const void *address);
SKERRY_PRIVATE bool skerry_check_overlap(uintptr_t first, size_t first_bytes, uintptr_t second, size_t second_bytes);

// Argument `name`: a symmetric address with `count` elements of `size` bytes of one object behind it.
SKERRY_PRIVATE void skerry_check_symmetric(const char *routine, const char *name, const void *address, size_t count,
                                           size_t size);

// The same for elements that need not be aligned.
SKERRY_PRIVATE void skerry_check_elements(const char *routine, const char *name, const void *address, size_t count,
                                          size_t size);

// That argument `name`, `bytes` bytes at `place`, is not in use by a non-blocking operation: its destination may
// neither be read nor written before a quiet, its source not be written.
SKERRY_PRIVATE void skerry_check_not_pending(const char *routine, const char *name, uintptr_t place, size_t bytes,
                                             bool writes);
// The context that a routine of the form shmem_ctx_... was given; the default one for the others.
SKERRY_PRIVATE const struct skerry_context *skerry_check_context_of(const char *routine);

// What stands first in the system memory that is reserved for checking; only PE 0's is used. Zero when the job begins.
#define SKERRY_CHECK_WARNINGS 32
struct skerry_check_job {
    uint64_t reported;                      // somebody writes the last line
    uint64_t wanted;                        // a PE's environment or program wants checks
    uint64_t wanted_strictly;               // a PE's environment wants no warnings but errors
    uint64_t warned[SKERRY_CHECK_WARNINGS]; // hashes of the routines that were warned of
};

// This PE's part of the system memory that is reserved for checking.
SKERRY_PRIVATE void *skerry_check_memory(void);

#endif
