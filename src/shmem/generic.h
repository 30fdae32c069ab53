// SPDX-License-Identifier: BSD-3-Clause
// Defines the type-generic names of C11 as macros. A macro expands to a call of the selected routine and nothing else:
// - The number of arguments shows whether the first argument is a context.
// - The type that the first data pointer points to selects the routine. If that type has no such routine, the compiler
//   reports an error.
// - The type of a value never selects the routine. So a program can pass a number of any type as the value.
#ifndef SKERRY_SHMEM_GENERIC_H
#define SKERRY_SHMEM_GENERIC_H

#include "distinct.h"

// -- Selection ---------------------------------------------------------------------------------------------------------

// A program's own macros must not change the parts of names that the macros of this file pass on. Therefore each part,
// for example _put, begins with an underscore: such names are reserved.
#define SKERRY_CASE(NAME, TYPE, PREFIX, SUFFIX) , TYPE : PREFIX##NAME##SUFFIX

#define SKERRY_BY_TYPE(FAMILY, SUFFIX, POINTER, ...)                                                                   \
    _Generic (*(POINTER)FAMILY(SKERRY_CASE, shmem_, SUFFIX))(POINTER, __VA_ARGS__)
#define SKERRY_BY_TYPE_AFTER_CONTEXT(FAMILY, SUFFIX, CONTEXT, POINTER, ...)                                            \
    _Generic (*(POINTER)FAMILY(SKERRY_CASE, shmem_ctx_, SUFFIX))(CONTEXT, POINTER, __VA_ARGS__)
#define SKERRY_BY_TYPE_AFTER_TEAM(FAMILY, SUFFIX, TEAM, POINTER, ...)                                                  \
    _Generic (*(POINTER)FAMILY(SKERRY_CASE, shmem_, SUFFIX))(TEAM, POINTER, __VA_ARGS__)

// These macros select the routine with a context if a call has n + 1 arguments. If not, they select the routine without
// a context: the compiler then reports a wrong number of arguments as a wrong call of the routine, not of a macro.
//
// SKERRY_FORM_OF_n puts 7 - n further arguments in front of the call's own arguments. Then it tests if there are 8. For
// example, shmem_put without a context has 4 arguments, so it uses SKERRY_FORM_OF_4, which adds 3.
#define SKERRY_TENTH(a, b, c, d, e, f, g, h, i, TENTH, ...) TENTH
#define SKERRY_IF_EIGHT(YES, NO, ...) SKERRY_TENTH(__VA_ARGS__, NO, YES, NO, NO, NO, NO, NO, NO, NO, ~)
#define SKERRY_FORM_OF_2(...) SKERRY_IF_EIGHT(SKERRY_BY_TYPE_AFTER_CONTEXT, SKERRY_BY_TYPE, ~, ~, ~, ~, ~, __VA_ARGS__)
#define SKERRY_FORM_OF_3(...) SKERRY_IF_EIGHT(SKERRY_BY_TYPE_AFTER_CONTEXT, SKERRY_BY_TYPE, ~, ~, ~, ~, __VA_ARGS__)
#define SKERRY_FORM_OF_4(...) SKERRY_IF_EIGHT(SKERRY_BY_TYPE_AFTER_CONTEXT, SKERRY_BY_TYPE, ~, ~, ~, __VA_ARGS__)
#define SKERRY_FORM_OF_5(...) SKERRY_IF_EIGHT(SKERRY_BY_TYPE_AFTER_CONTEXT, SKERRY_BY_TYPE, ~, ~, __VA_ARGS__)
#define SKERRY_FORM_OF_6(...) SKERRY_IF_EIGHT(SKERRY_BY_TYPE_AFTER_CONTEXT, SKERRY_BY_TYPE, ~, __VA_ARGS__)
#define SKERRY_FORM_OF_7(...) SKERRY_IF_EIGHT(SKERRY_BY_TYPE_AFTER_CONTEXT, SKERRY_BY_TYPE, __VA_ARGS__)

// -- The macros --------------------------------------------------------------------------------------------------------

// Reads the table of each chapter (rma.h, amo.h, ...), which here defines the type-generic macros of the chapter's
// routines.
#define SKERRY_READING_GENERICS
#include "api.h"
#include "lists.h"
#undef SKERRY_READING_GENERICS

#endif
