// SPDX-License-Identifier: BSD-3-Clause
// Defines the macros for the rows of the tables of routines. Each chapter of the specification has a table (rma.h,
// amo.h, ...). Each row of a table is one routine or one family of routines. Every inclusion of a table turns its rows
// into something else, so a table has no include guard. The macros SKERRY_NO_INLINE, SKERRY_HEADER_ONLY and
// SKERRY_READING_* select what a row becomes: an inline function of a user's program, a prototype, the library's two
// symbols (shmem_x and pshmem_x), or overloads in C++.

// Rows for a single routine are of three kinds. The rows for families follow below.
//
//     SKERRY_INLINE(result, name, (arguments), { body })   a routine that is inlined into programs
//     SKERRY_LIBRARY(result, name, (arguments), { body })  a routine of the library; this row defines its symbols
//     SKERRY_DECLARE(result, name, (arguments))            a routine of the library that a source file defines
//
// A body is one argument of a macro. In a body, each comma must be inside parentheses, and a declaration declares one
// variable: C++98 has no macro with a variable number of arguments.
#undef SKERRY_INLINE
#undef SKERRY_LIBRARY
#undef SKERRY_DECLARE
#undef SKERRY_ROUTINE

// SKERRY_ROUTINE is the name of the routine that the program called. The checks print this name in their error
// messages. In the library __func__ is pshmem_x, and + 1 skips the p. In a user's program the name is NULL, because
// inlined code checks nothing.
#ifdef SKERRY_READING_SYMBOLS
#define SKERRY_ROUTINE (__func__ + 1)
#else
#define SKERRY_ROUTINE ((const char *)0)
#endif

#if defined(SKERRY_READING_SYMBOLS)
// In the library the function with the profiling name (pshmem_x) has the body. The plain name (shmem_x) is a weak
// alias, which a profiling tool is allowed to replace.
#define SKERRY_LIBRARY(RESULT, NAME, ARGUMENTS, BODY)                                                                  \
    RESULT p##NAME ARGUMENTS;                                                                                          \
    RESULT p##NAME ARGUMENTS BODY extern __typeof__(NAME) NAME __attribute__((weak, alias("p" #NAME)));
#ifdef SKERRY_HEADER_ONLY
// With SKERRY_HEADER_ONLY the library and the program are one translation unit. This unit already contains the inline
// functions, so this macro defines nothing.
#define SKERRY_INLINE(RESULT, NAME, ARGUMENTS, BODY)
#else
#define SKERRY_INLINE(RESULT, NAME, ARGUMENTS, BODY) SKERRY_LIBRARY(RESULT, NAME, ARGUMENTS, BODY)
#endif
#define SKERRY_DECLARE(RESULT, NAME, ARGUMENTS)
#elif defined(SKERRY_READING_GENERICS) || defined(SKERRY_READING_OVERLOADS)
#define SKERRY_INLINE(RESULT, NAME, ARGUMENTS, BODY)
#define SKERRY_LIBRARY(RESULT, NAME, ARGUMENTS, BODY)
#define SKERRY_DECLARE(RESULT, NAME, ARGUMENTS)
#elif defined(SKERRY_READING_PROFILING)
#ifdef SKERRY_HEADER_ONLY
#define SKERRY_INLINE(RESULT, NAME, ARGUMENTS, BODY) static __inline__ RESULT p##NAME ARGUMENTS BODY
#define SKERRY_DECLARE(RESULT, NAME, ARGUMENTS)
#else
#define SKERRY_INLINE(RESULT, NAME, ARGUMENTS, BODY) RESULT p##NAME ARGUMENTS;
#define SKERRY_DECLARE(RESULT, NAME, ARGUMENTS) RESULT p##NAME ARGUMENTS;
#endif
#define SKERRY_LIBRARY(RESULT, NAME, ARGUMENTS, BODY) SKERRY_DECLARE(RESULT, NAME, ARGUMENTS)
#else
#if defined(SKERRY_NO_INLINE)
#define SKERRY_INLINE(RESULT, NAME, ARGUMENTS, BODY) RESULT NAME ARGUMENTS;
#elif defined(SKERRY_HEADER_ONLY)
#define SKERRY_INLINE(RESULT, NAME, ARGUMENTS, BODY)                                                                   \
    static __inline__ __attribute__((always_inline)) RESULT NAME ARGUMENTS BODY
#else
// In a user's program a call is always inlined, and the compiler emits no function for the routine. A pointer to the
// routine points to the library's function. A program can define a routine of the same name: its function then replaces
// the library's function.
#define SKERRY_INLINE(RESULT, NAME, ARGUMENTS, BODY)                                                                   \
    extern __inline__ __attribute__((gnu_inline, always_inline)) RESULT NAME ARGUMENTS BODY
#endif
#define SKERRY_DECLARE(RESULT, NAME, ARGUMENTS) RESULT NAME ARGUMENTS;
#define SKERRY_LIBRARY(RESULT, NAME, ARGUMENTS, BODY) SKERRY_DECLARE(RESULT, NAME, ARGUMENTS)
#endif

// -- Families ----------------------------------------------------------------------------------------------------------

// These macros are rows for a family of types. "Pairs" means that each routine is made twice: without and with a
// context.
//     SKERRY_TYPED_PAIRS(family, result, rest of the name, arguments, body)   inline functions, pairs
//     SKERRY_TYPED(family, result, rest of the name, arguments, body)         inline functions
//     SKERRY_TYPED_LIBRARY(family, result, rest of the name, arguments, body) functions of the library
//     SKERRY_TYPED_DECLARE(family, result, rest of the name, arguments)       functions that a source file defines
// These macros are rows for a family of sizes. The names of its routines contain a size in place of a type:
//     SKERRY_SIZED_PAIRS(family, name before the size, name after the size, arguments, body)     inline functions, pairs
//     SKERRY_SIZED_LIBRARY(family, name before the size, arguments, body)                        functions of the library
// The arguments of these macros:
// - types.h defines the families. arguments.h defines the results and the lists of arguments.
// - `body` is the name of a function that all routines of the family share. The function gets the size of an element as
//   an argument.
// - Each part of a name begins with an underscore. Such a name is reserved, so a program's own macros cannot change it.
#undef SKERRY_TYPED_PAIRS
#undef SKERRY_TYPED
#undef SKERRY_TYPED_LIBRARY
#undef SKERRY_TYPED_DECLARE

#ifdef SKERRY_READING_OVERLOADS
#define SKERRY_TYPED_PAIRS(FAMILY, RESULT, REST, LIST, BODY)                                                           \
    SKERRY_DISTINCT_##FAMILY(SKERRY_OVERLOAD, RESULT, REST, LIST)                                                      \
        SKERRY_DISTINCT_##FAMILY(SKERRY_OVERLOAD_ON_CONTEXT, RESULT, REST, LIST)
#define SKERRY_TYPED(FAMILY, RESULT, REST, LIST, BODY) SKERRY_DISTINCT_##FAMILY(SKERRY_OVERLOAD, RESULT, REST, LIST)
#define SKERRY_TYPED_LIBRARY(FAMILY, RESULT, REST, LIST, BODY) SKERRY_TYPED(FAMILY, RESULT, REST, LIST, BODY)
#define SKERRY_TYPED_DECLARE(FAMILY, RESULT, REST, LIST) SKERRY_TYPED(FAMILY, RESULT, REST, LIST, )
#else
#define SKERRY_TYPED_PAIRS(FAMILY, RESULT, REST, LIST, BODY)                                                           \
    SKERRY_EACH_##FAMILY(SKERRY_ONE_TYPED_PAIR, RESULT, REST, LIST, BODY)
#define SKERRY_TYPED(FAMILY, RESULT, REST, LIST, BODY) SKERRY_EACH_##FAMILY(SKERRY_ONE_TYPED, RESULT, REST, LIST, BODY)
#define SKERRY_TYPED_LIBRARY(FAMILY, RESULT, REST, LIST, BODY)                                                         \
    SKERRY_EACH_##FAMILY(SKERRY_ONE_TYPED_LIBRARY, RESULT, REST, LIST, BODY)
#define SKERRY_TYPED_DECLARE(FAMILY, RESULT, REST, LIST)                                                               \
    SKERRY_EACH_##FAMILY(SKERRY_ONE_TYPED_DECLARE, RESULT, REST, LIST, 0)
#endif

#ifndef SKERRY_SHMEM_API_H
#define SKERRY_SHMEM_API_H

#include "arguments.h"
#include "types.h"

// In a routine with a context the argument pe is a rank in the context's team. The routine first translates it to a
// rank in the world team.
#define SKERRY_ONE_TYPED_PAIR(NAME, TYPE, RESULT, REST, LIST, BODY)                                                    \
    SKERRY_INLINE(RESULT(TYPE), shmem_##NAME##REST, (LIST##_ARGUMENTS(TYPE)),                                          \
                  {RESULT##_OF(BODY, TYPE, sizeof(TYPE), LIST)})                                                       \
    SKERRY_INLINE(RESULT(TYPE), shmem_ctx_##NAME##REST, (shmem_ctx_t ctx, LIST##_ARGUMENTS(TYPE)), {                   \
        pe = skerry_pe_in_context(SKERRY_ROUTINE, ctx, pe);                                                            \
        RESULT##_OF(BODY, TYPE, sizeof(TYPE), LIST)                                                                    \
    })
#define SKERRY_ONE_TYPED(NAME, TYPE, RESULT, REST, LIST, BODY)                                                         \
    SKERRY_INLINE(RESULT(TYPE), shmem_##NAME##REST, (LIST##_ARGUMENTS(TYPE)),                                          \
                  {RESULT##_OF(BODY, TYPE, sizeof(TYPE), LIST)})
#define SKERRY_ONE_TYPED_LIBRARY(NAME, TYPE, RESULT, REST, LIST, BODY)                                                 \
    SKERRY_LIBRARY(RESULT(TYPE), shmem_##NAME##REST, (LIST##_ARGUMENTS(TYPE)),                                         \
                   {RESULT##_OF(BODY, TYPE, sizeof(TYPE), LIST)})
#define SKERRY_ONE_TYPED_DECLARE(NAME, TYPE, RESULT, REST, LIST, BODY)                                                 \
    SKERRY_DECLARE(RESULT(TYPE), shmem_##NAME##REST, (LIST##_ARGUMENTS(TYPE)))

#define SKERRY_SIZED_PAIRS(FAMILY, BEGIN, END, LIST, BODY)                                                             \
    SKERRY_EACH_##FAMILY(SKERRY_ONE_SIZED_PAIR, BEGIN, END, LIST, BODY)
#define SKERRY_ONE_SIZED_PAIR(BITS, BYTES, BEGIN, END, LIST, BODY)                                                     \
    SKERRY_INLINE(void, shmem##BEGIN##BITS##END, (LIST##_ARGUMENTS(void)),                                             \
                  {SKERRY_NOTHING_OF(BODY, void, BYTES, LIST)})                                                        \
    SKERRY_INLINE(void, shmem_ctx##BEGIN##BITS##END, (shmem_ctx_t ctx, LIST##_ARGUMENTS(void)), {                      \
        pe = skerry_pe_in_context(SKERRY_ROUTINE, ctx, pe);                                                            \
        SKERRY_NOTHING_OF(BODY, void, BYTES, LIST)                                                                     \
    })
#define SKERRY_SIZED_LIBRARY(FAMILY, BEGIN, LIST, BODY)                                                                \
    SKERRY_EACH_##FAMILY(SKERRY_ONE_SIZED_LIBRARY, BEGIN, LIST, BODY, 0)
#define SKERRY_ONE_SIZED_LIBRARY(BITS, BYTES, BEGIN, LIST, BODY, UNUSED)                                               \
    SKERRY_LIBRARY(void, shmem##BEGIN##BITS, (LIST##_ARGUMENTS(void)), {SKERRY_NOTHING_OF(BODY, void, BYTES, LIST)})

#endif
