// SPDX-License-Identifier: BSD-3-Clause
// Includes the public header and the interface of the machine, which every source file of this folder needs. Defines
// the macro SKERRY_DEFINE, with which a source file defines a routine.
#ifndef SKERRY_SHMEM_INTERNAL_H
#define SKERRY_SHMEM_INTERNAL_H

#if !defined(SKERRY_NO_INLINE) && !defined(SKERRY_HEADER_ONLY)
#define SKERRY_NO_INLINE
#endif
#include "../config/config.h" // must be first: the machine can define SKERRY_COLD and SKERRY_NORETURN for shmem.h
#include <shmem.h>

#include "../primitive/checking.h"
#undef SKERRY_WHEN_CHECKING
#define SKERRY_WHEN_CHECKING(...)                                                                                      \
    if (__builtin_expect(skerry_checking, 0)) {                                                                        \
        __VA_ARGS__;                                                                                                   \
    }
#include "inline.h"

// Defines a routine of the library under its profiling name (pshmem_...), and its plain name as a weak alias.
#define SKERRY_DEFINE(RESULT, NAME, ARGUMENTS)                                                                         \
    RESULT p##NAME ARGUMENTS;                                                                                          \
    extern __typeof__(NAME) NAME __attribute__((weak, alias("p" #NAME)));                                              \
    RESULT p##NAME ARGUMENTS

// State of the library that all routines share.
struct skerry_library {
    int32_t initializations; // number of initialisations that are not yet finalised
    int32_t thread_level;
    bool ever_initialized;
};
extern SKERRY_PRIVATE struct skerry_library skerry_library;

// Returns the error text for a call before shmem_init or after shmem_finalize.
static inline const char *skerry_not_running(void) {
    return skerry_library.ever_initialized ? "called after shmem_finalize" : "called before shmem_init";
}

#endif
