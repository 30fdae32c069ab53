// SPDX-License-Identifier: BSD-3-Clause
// Defines the macros that turn the text of a routine, which is written once, into an inline function of a user's
// program, a prototype, or the library's two symbols (shmem_x and pshmem_x). Each chapter of the specification has a
// list of routines (rma.h, amo.h, ...), which has no include guard and contains only
//     SKERRY_INLINE(result, name, (arguments), { body })   routines whose fast path is in the header
//     SKERRY_DECLARE(result, name, (arguments))            routines that live in the library
// A list is included several times. Each time these macros have one of the meanings below. The macros SKERRY_NO_INLINE,
// SKERRY_HEADER_ONLY and SKERRY_READING_* select the meaning. A body is one argument of a macro, because C++98 has no
// macro with a variable number of arguments. So each comma in a body must be inside parentheses, and a declaration in a
// body declares one variable.
#undef SKERRY_INLINE
#undef SKERRY_DECLARE
#undef SKERRY_WHEN_CHECKING

#if defined(SKERRY_READING_SYMBOLS) && defined(SKERRY_HEADER_ONLY)
// Here the library and the program are compiled as one translation unit. This unit already has the routines as inline
// functions, so the macros expand to nothing.
#define SKERRY_INLINE(RESULT, NAME, ARGUMENTS, BODY)
#define SKERRY_DECLARE(RESULT, NAME, ARGUMENTS)
#define SKERRY_WHEN_CHECKING(STATEMENT)
#elif defined(SKERRY_READING_SYMBOLS)
// In the library the function with the profiling name (pshmem_x) has the body. The plain name (shmem_x) is a weak
// alias, which a tool may replace.
#define SKERRY_INLINE(RESULT, NAME, ARGUMENTS, BODY)                                                                   \
    RESULT p##NAME ARGUMENTS;                                                                                          \
    RESULT p##NAME ARGUMENTS BODY extern __typeof__(NAME) NAME __attribute__((weak, alias("p" #NAME)));
#define SKERRY_DECLARE(RESULT, NAME, ARGUMENTS)
#define SKERRY_WHEN_CHECKING(STATEMENT)                                                                                \
    if (__builtin_expect(skerry_checking, 0)) {                                                                        \
        STATEMENT;                                                                                                     \
    }
#elif defined(SKERRY_READING_PROFILING) && defined(SKERRY_HEADER_ONLY)
#define SKERRY_INLINE(RESULT, NAME, ARGUMENTS, BODY) static __inline__ RESULT p##NAME ARGUMENTS BODY
#define SKERRY_DECLARE(RESULT, NAME, ARGUMENTS)
#define SKERRY_WHEN_CHECKING(STATEMENT)
#elif defined(SKERRY_READING_PROFILING)
#define SKERRY_INLINE(RESULT, NAME, ARGUMENTS, BODY) RESULT p##NAME ARGUMENTS;
#define SKERRY_DECLARE(RESULT, NAME, ARGUMENTS) RESULT p##NAME ARGUMENTS;
#define SKERRY_WHEN_CHECKING(STATEMENT)
#elif defined(SKERRY_NO_INLINE)
#define SKERRY_INLINE(RESULT, NAME, ARGUMENTS, BODY) RESULT NAME ARGUMENTS;
#define SKERRY_DECLARE(RESULT, NAME, ARGUMENTS) RESULT NAME ARGUMENTS;
#define SKERRY_WHEN_CHECKING(STATEMENT)
#elif defined(SKERRY_HEADER_ONLY)
#define SKERRY_INLINE(RESULT, NAME, ARGUMENTS, BODY)                                                                   \
    static __inline__ __attribute__((always_inline)) RESULT NAME ARGUMENTS BODY
#define SKERRY_DECLARE(RESULT, NAME, ARGUMENTS) RESULT NAME ARGUMENTS;
#define SKERRY_WHEN_CHECKING(STATEMENT)
#else
// In a user's program a call is always inlined, and the compiler emits no function for the routine. A pointer to the
// routine points to the library's function. If the program defines a routine of the same name, its function replaces
// the library's.
#define SKERRY_INLINE(RESULT, NAME, ARGUMENTS, BODY)                                                                   \
    extern __inline__ __attribute__((gnu_inline, always_inline)) RESULT NAME ARGUMENTS BODY
#define SKERRY_DECLARE(RESULT, NAME, ARGUMENTS) RESULT NAME ARGUMENTS;
#define SKERRY_WHEN_CHECKING(STATEMENT)
#endif

#ifndef SKERRY_SHMEM_API_H
#define SKERRY_SHMEM_API_H

// Remove the parentheses around a list of arguments. There is one macro for each number of arguments, because C++98 has
// no macro with a variable number of arguments.
#define SKERRY_ARGUMENTS_2(a, b) a, b
#define SKERRY_ARGUMENTS_3(a, b, c) a, b, c
#define SKERRY_ARGUMENTS_4(a, b, c, d) a, b, c, d
#define SKERRY_ARGUMENTS_5(a, b, c, d, e) a, b, c, d, e
#define SKERRY_ARGUMENTS_6(a, b, c, d, e, f) a, b, c, d, e, f
#define SKERRY_ARGUMENTS_7(a, b, c, d, e, f, g) a, b, c, d, e, f, g

// Defines a routine of COUNT arguments without a context, and the same routine with a context. In the routine with a
// context the argument pe is a rank in the context's team, which the routine first translates to a rank in the world
// team.
#define SKERRY_INLINE_PAIR(RESULT, REST, COUNT, ARGUMENTS, BODY)                                                       \
    SKERRY_INLINE(RESULT, shmem_##REST, ARGUMENTS, BODY)                                                               \
    SKERRY_INLINE(RESULT, shmem_ctx_##REST, (shmem_ctx_t ctx, SKERRY_ARGUMENTS_##COUNT ARGUMENTS), {                   \
        SKERRY_WHEN_CHECKING(skerry_check_context(__func__ + 1, ctx, pe))                                              \
        pe = skerry_context_pe(ctx, pe);                                                                               \
        BODY                                                                                                           \
    })

#endif
