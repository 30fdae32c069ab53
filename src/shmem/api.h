// SPDX-License-Identifier: BSD-3-Clause
// How one text of a routine becomes an inline function in a user's program, a prototype, and a pair of symbols in the
// library. A chapter's list (rma.h, amo.h, ...) has no include guard and holds only
//     SKERRY_INLINE(result, name, (arguments), { body })   routines whose fast path is in the header
//     SKERRY_DECLARE(result, name, (arguments))            routines that live in the library
// and is included once for each of the readings below, chosen by SKERRY_READING_*.
#undef SKERRY_INLINE
#undef SKERRY_DECLARE
#undef SKERRY_WHEN_CHECKING

#if defined(SKERRY_READING_SYMBOLS) && defined(SKERRY_HEADER_ONLY)
// In one translation unit with the program, which has them inline already.
#define SKERRY_INLINE(RESULT, NAME, ARGUMENTS, ...)
#define SKERRY_DECLARE(RESULT, NAME, ARGUMENTS)
#define SKERRY_WHEN_CHECKING(...)
#elif defined(SKERRY_READING_SYMBOLS)
// In the library: the profiling name holds the body; the plain name is a weak alias that a tool may replace.
#define SKERRY_INLINE(RESULT, NAME, ARGUMENTS, ...)                                                                    \
    RESULT p##NAME ARGUMENTS;                                                                                          \
    RESULT p##NAME ARGUMENTS __VA_ARGS__ extern __typeof__(NAME) NAME __attribute__((weak, alias("p" #NAME)));
#define SKERRY_DECLARE(RESULT, NAME, ARGUMENTS)
#define SKERRY_WHEN_CHECKING(...)                                                                                      \
    if (__builtin_expect(skerry_checking, 0)) {                                                                        \
        __VA_ARGS__;                                                                                                   \
    }
#elif defined(SKERRY_READING_PROFILING) && defined(SKERRY_HEADER_ONLY)
#define SKERRY_INLINE(RESULT, NAME, ARGUMENTS, ...) static inline RESULT p##NAME ARGUMENTS __VA_ARGS__
#define SKERRY_DECLARE(RESULT, NAME, ARGUMENTS)
#define SKERRY_WHEN_CHECKING(...)
#elif defined(SKERRY_READING_PROFILING)
#define SKERRY_INLINE(RESULT, NAME, ARGUMENTS, ...) RESULT p##NAME ARGUMENTS;
#define SKERRY_DECLARE(RESULT, NAME, ARGUMENTS) RESULT p##NAME ARGUMENTS;
#define SKERRY_WHEN_CHECKING(...)
#elif defined(SKERRY_NO_INLINE)
#define SKERRY_INLINE(RESULT, NAME, ARGUMENTS, ...) RESULT NAME ARGUMENTS;
#define SKERRY_DECLARE(RESULT, NAME, ARGUMENTS) RESULT NAME ARGUMENTS;
#define SKERRY_WHEN_CHECKING(...)
#elif defined(SKERRY_HEADER_ONLY)
#define SKERRY_INLINE(RESULT, NAME, ARGUMENTS, ...)                                                                    \
    static inline __attribute__((always_inline)) RESULT NAME ARGUMENTS __VA_ARGS__
#define SKERRY_DECLARE(RESULT, NAME, ARGUMENTS) RESULT NAME ARGUMENTS;
#define SKERRY_WHEN_CHECKING(...)
#else
// In a user's program: always inlined, never emitted; its address, or a definition of the program's own, is the symbol.
#define SKERRY_INLINE(RESULT, NAME, ARGUMENTS, ...)                                                                    \
    extern inline __attribute__((gnu_inline, always_inline)) RESULT NAME ARGUMENTS __VA_ARGS__
#define SKERRY_DECLARE(RESULT, NAME, ARGUMENTS) RESULT NAME ARGUMENTS;
#define SKERRY_WHEN_CHECKING(...)
#endif

#ifndef SKERRY_SHMEM_API_H
#define SKERRY_SHMEM_API_H

#define SKERRY_UNPARENTHESIZE(...) __VA_ARGS__

// A routine and its form on a context: the context translates the PE, nothing else differs.
#define SKERRY_INLINE_PAIR(RESULT, REST, ARGUMENTS, ...)                                                               \
    SKERRY_INLINE(RESULT, shmem_##REST, ARGUMENTS, __VA_ARGS__)                                                        \
    SKERRY_INLINE(RESULT, shmem_ctx_##REST, (shmem_ctx_t ctx, SKERRY_UNPARENTHESIZE ARGUMENTS), {                      \
        SKERRY_WHEN_CHECKING(skerry_check_context(__func__ + 1, ctx, pe))                                              \
        pe = skerry_context_pe(ctx, pe);                                                                               \
        __VA_ARGS__                                                                                                    \
    })

#endif
