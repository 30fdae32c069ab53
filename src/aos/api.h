// SPDX-License-Identifier: BSD-3-Clause
// Defines AOS_INLINE and AOS_DECLARE. The list headers (transfer.h, atomic.h, ...) declare each routine once, with one
// of these two macros. SKERRY_AOS_SYMBOLS and SKERRY_NO_INLINE select what the macros make of a routine: a symbol of
// the library, a prototype, or an inline function in a user's program. A list header has no include guard, because a
// source of the library includes it twice: for prototypes and for symbols. A list header contains only
//     AOS_INLINE(result, name, (arguments), { body })   routines whose fast path is in the header
//     AOS_DECLARE(result, name, (arguments))            routines that are only in the library
#undef AOS_INLINE
#undef AOS_DECLARE
#undef AOS_WHEN_CHECKING

#if defined(SKERRY_AOS_SYMBOLS)
// In the library: AOS_INLINE defines the routine as a function, whose body checks the arguments if checks are on
// (skerry_checking). Programs compiled with SKERRY_NO_INLINE call this function.
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
// In a user's program: each call of the routine is inlined, and the compiler emits no function for it. A pointer to the
// routine points to the library's function.
#define AOS_INLINE(RESULT, NAME, ARGUMENTS, BODY)                                                                      \
    extern __inline__ __attribute__((gnu_inline, always_inline)) RESULT NAME ARGUMENTS BODY
#define AOS_DECLARE(RESULT, NAME, ARGUMENTS) RESULT NAME ARGUMENTS;
#define AOS_WHEN_CHECKING(STATEMENT)
#endif
