// SPDX-License-Identifier: BSD-3-Clause
// Defines AOS_INLINE and AOS_DECLARE. The list headers (transfer.h, atomic.h, ...) declare each routine of aos.h once,
// with one of these macros:
//     AOS_INLINE(result, name, (arguments), { body })   a routine whose fast path is in the header
//     AOS_DECLARE(result, name, (arguments))            a routine that is only in the library
//     AOS_DECLARE_BEGINS(result, name, (arguments), (values))
//                                                       the same; the argument `event` can be an event for a copy that an
//                                                       engine does (transfer_begun.c). The values are the names of the arguments
// What the macros make of a routine:
// * a function of the library, if SKERRY_AOS_SYMBOLS is defined;
// * a prototype, if SKERRY_NO_INLINE is defined;
// * an inline function of the user's program, if neither name is defined.
//
// A list header has no include guard, because a source of the library includes the header twice: for prototypes and for
// functions.
#undef AOS_INLINE
#undef AOS_DECLARE
#undef AOS_DECLARE_BEGINS
#undef AOS_WHEN_CHECKING

#if defined(SKERRY_AOS_SYMBOLS)
// In the library, AOS_INLINE defines the routine as a function. The function checks its arguments if checks are on
// (skerry_checking). Programs that were compiled with SKERRY_NO_INLINE call this function.
#define AOS_INLINE(RESULT, NAME, ARGUMENTS, BODY) RESULT NAME ARGUMENTS BODY
#define AOS_DECLARE(RESULT, NAME, ARGUMENTS)
#define AOS_DECLARE_BEGINS(RESULT, NAME, ARGUMENTS, VALUES)
#define AOS_WHEN_CHECKING(STATEMENT)                                                                                   \
    if (__builtin_expect(skerry_checking, 0)) {                                                                        \
        STATEMENT;                                                                                                     \
    }
#elif defined(SKERRY_NO_INLINE)
#define AOS_INLINE(RESULT, NAME, ARGUMENTS, BODY) RESULT NAME ARGUMENTS;
#define AOS_DECLARE(RESULT, NAME, ARGUMENTS) RESULT NAME ARGUMENTS;
#define AOS_DECLARE_BEGINS(RESULT, NAME, ARGUMENTS, VALUES) RESULT NAME ARGUMENTS;
#define AOS_WHEN_CHECKING(STATEMENT)
#else
// In a user's program, each call of the routine is inlined. The compiler emits no function for the routine, so a
// pointer to the routine is the address of the library's function.
#define AOS_INLINE(RESULT, NAME, ARGUMENTS, BODY)                                                                      \
    extern __inline__ __attribute__((gnu_inline, always_inline)) RESULT NAME ARGUMENTS BODY
#define AOS_DECLARE(RESULT, NAME, ARGUMENTS) RESULT NAME ARGUMENTS;
#if SKERRY_BEGUN_COPIES
#define AOS_DECLARE_BEGINS(RESULT, NAME, ARGUMENTS, VALUES)                                                            \
    RESULT skerry_##NAME ARGUMENTS SKERRY_NAMED(NAME);                                                                 \
    extern __inline__ __attribute__((gnu_inline, always_inline)) RESULT NAME ARGUMENTS {                               \
        SKERRY_AOS_LINK_BEGIN(event);                                                                                  \
        return skerry_##NAME VALUES;                                                                                   \
    }
#else
#define AOS_DECLARE_BEGINS(RESULT, NAME, ARGUMENTS, VALUES) RESULT NAME ARGUMENTS;
#endif
#define AOS_WHEN_CHECKING(STATEMENT)
#endif
