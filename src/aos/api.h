// SPDX-License-Identifier: BSD-3-Clause
// Defines the two macros of the list headers (transfer.h, atomic.h, ...). By them one text of a routine becomes an
// inline function in a user's program, a prototype, or a symbol of the library. A list header has no include guard and
// holds only
//     AOS_INLINE(result, name, (arguments), { body })   routines whose fast path is in the header
//     AOS_DECLARE(result, name, (arguments))            routines that are only in the library
#undef AOS_INLINE
#undef AOS_DECLARE
#undef AOS_WHEN_CHECKING

#if defined(SKERRY_AOS_SYMBOLS)
// In the library: defines the symbol. Programs compiled with SKERRY_NO_INLINE call it, and its body checks the
// arguments.
#define AOS_INLINE(RESULT, NAME, ARGUMENTS, BODY) RESULT NAME ARGUMENTS BODY
#define AOS_DECLARE(RESULT, NAME, ARGUMENTS)
#define AOS_WHEN_CHECKING(STATEMENT)                                                                                   \
    if (__builtin_expect(skerry_checking, 0)) {                                                                        \
        STATEMENT;                                                                                                     \
    }
#elif defined(SKERRY_NO_INLINE)
#define AOS_INLINE(RESULT, NAME, ARGUMENTS, BODY) RESULT NAME ARGUMENTS;
#define AOS_DECLARE(RESULT, NAME, ARGUMENTS) RESULT NAME ARGUMENTS;
#define AOS_WHEN_CHECKING(STATEMENT)
#else
// In a user's program: the function is always inlined and never emitted. Its address is that of the library's symbol.
#define AOS_INLINE(RESULT, NAME, ARGUMENTS, BODY)                                                                      \
    extern __inline__ __attribute__((gnu_inline, always_inline)) RESULT NAME ARGUMENTS BODY
#define AOS_DECLARE(RESULT, NAME, ARGUMENTS) RESULT NAME ARGUMENTS;
#define AOS_WHEN_CHECKING(STATEMENT)
#endif
