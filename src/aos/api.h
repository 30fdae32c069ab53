// SPDX-License-Identifier: BSD-3-Clause
// How one text of a routine becomes an inline function in a user's program, a prototype, and a symbol of the library. A
// chapter (transfer.h, atomic.h, ...) has no include guard and holds only
//     AOS_INLINE(result, name, (arguments), { body })   routines whose fast path is in the header
//     AOS_DECLARE(result, name, (arguments))            routines that live in the library
#undef AOS_INLINE
#undef AOS_DECLARE
#undef AOS_WHEN_CHECKING

#if defined(SKERRY_AOS_SYMBOLS)
// In the library: the symbol, which programs compiled with SKERRY_NO_INLINE call, and which checks.
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
// In a user's program: always inlined, never emitted; its address is the symbol.
#define AOS_INLINE(RESULT, NAME, ARGUMENTS, BODY)                                                                      \
    extern __inline__ __attribute__((gnu_inline, always_inline)) RESULT NAME ARGUMENTS BODY
#define AOS_DECLARE(RESULT, NAME, ARGUMENTS) RESULT NAME ARGUMENTS;
#define AOS_WHEN_CHECKING(STATEMENT)
#endif
