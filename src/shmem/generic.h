// SPDX-License-Identifier: BSD-3-Clause
// Defines the type-generic names of C11 as macros. The number of arguments shows whether the first one is a context.
// The type that the first data pointer points to selects the routine. The type of a value never selects the routine, so
// that a program can pass a number of any type as the value. A macro expands to a call of the selected routine and
// nothing else. If a type has no such routine, the compiler reports an error.
#ifndef SKERRY_SHMEM_GENERIC_H
#define SKERRY_SHMEM_GENERIC_H

#include "distinct.h"

// -- Selection ---------------------------------------------------------------------------------------------------------

// A program's own macros must not change the parts of names that the macros of this file pass on. Therefore each part,
// for example _put, begins with an underscore, which makes it a reserved identifier.
#define SKERRY_CASE(NAME, TYPE, PREFIX, SUFFIX) , TYPE : PREFIX##NAME##SUFFIX

#define SKERRY_BY_TYPE(FAMILY, SUFFIX, POINTER, ...)                                                                   \
    _Generic (*(POINTER)FAMILY(SKERRY_CASE, shmem_, SUFFIX))(POINTER, __VA_ARGS__)
#define SKERRY_BY_TYPE_AFTER_CONTEXT(FAMILY, SUFFIX, CONTEXT, POINTER, ...)                                            \
    _Generic (*(POINTER)FAMILY(SKERRY_CASE, shmem_ctx_, SUFFIX))(CONTEXT, POINTER, __VA_ARGS__)
#define SKERRY_BY_TYPE_AFTER_TEAM(FAMILY, SUFFIX, TEAM, POINTER, ...)                                                  \
    _Generic (*(POINTER)FAMILY(SKERRY_CASE, shmem_, SUFFIX))(TEAM, POINTER, __VA_ARGS__)

// A routine that has n arguments without a context has n + 1 arguments with a context. SKERRY_FORM_OF_n adds arguments,
// so that a call with a context has 8 arguments. Every other number of arguments selects the routine without a context.
// If the number is wrong, the compiler then reports a wrong call of the routine, not of a macro.
#define SKERRY_TENTH(a, b, c, d, e, f, g, h, i, TENTH, ...) TENTH
#define SKERRY_IF_EIGHT(YES, NO, ...) SKERRY_TENTH(__VA_ARGS__, NO, YES, NO, NO, NO, NO, NO, NO, NO, ~)
#define SKERRY_FORM_OF_2(...) SKERRY_IF_EIGHT(SKERRY_BY_TYPE_AFTER_CONTEXT, SKERRY_BY_TYPE, ~, ~, ~, ~, ~, __VA_ARGS__)
#define SKERRY_FORM_OF_3(...) SKERRY_IF_EIGHT(SKERRY_BY_TYPE_AFTER_CONTEXT, SKERRY_BY_TYPE, ~, ~, ~, ~, __VA_ARGS__)
#define SKERRY_FORM_OF_4(...) SKERRY_IF_EIGHT(SKERRY_BY_TYPE_AFTER_CONTEXT, SKERRY_BY_TYPE, ~, ~, ~, __VA_ARGS__)
#define SKERRY_FORM_OF_5(...) SKERRY_IF_EIGHT(SKERRY_BY_TYPE_AFTER_CONTEXT, SKERRY_BY_TYPE, ~, ~, __VA_ARGS__)
#define SKERRY_FORM_OF_6(...) SKERRY_IF_EIGHT(SKERRY_BY_TYPE_AFTER_CONTEXT, SKERRY_BY_TYPE, ~, __VA_ARGS__)
#define SKERRY_FORM_OF_7(...) SKERRY_IF_EIGHT(SKERRY_BY_TYPE_AFTER_CONTEXT, SKERRY_BY_TYPE, __VA_ARGS__)

// -- Remote memory access ----------------------------------------------------------------------------------------------

#define shmem_put(...) SKERRY_FORM_OF_4(__VA_ARGS__)(SKERRY_DISTINCT_RMA, _put, __VA_ARGS__)
#define shmem_get(...) SKERRY_FORM_OF_4(__VA_ARGS__)(SKERRY_DISTINCT_RMA, _get, __VA_ARGS__)
#define shmem_put_nbi(...) SKERRY_FORM_OF_4(__VA_ARGS__)(SKERRY_DISTINCT_RMA, _put_nbi, __VA_ARGS__)
#define shmem_get_nbi(...) SKERRY_FORM_OF_4(__VA_ARGS__)(SKERRY_DISTINCT_RMA, _get_nbi, __VA_ARGS__)
#define shmem_p(...) SKERRY_FORM_OF_3(__VA_ARGS__)(SKERRY_DISTINCT_RMA, _p, __VA_ARGS__)
#define shmem_g(...) SKERRY_FORM_OF_2(__VA_ARGS__)(SKERRY_DISTINCT_RMA, _g, __VA_ARGS__)
#define shmem_iput(...) SKERRY_FORM_OF_6(__VA_ARGS__)(SKERRY_DISTINCT_RMA, _iput, __VA_ARGS__)
#define shmem_iget(...) SKERRY_FORM_OF_6(__VA_ARGS__)(SKERRY_DISTINCT_RMA, _iget, __VA_ARGS__)
#define shmem_ibput(...) SKERRY_FORM_OF_7(__VA_ARGS__)(SKERRY_DISTINCT_RMA, _ibput, __VA_ARGS__)
#define shmem_ibget(...) SKERRY_FORM_OF_7(__VA_ARGS__)(SKERRY_DISTINCT_RMA, _ibget, __VA_ARGS__)
#define shmem_put_signal(...) SKERRY_FORM_OF_7(__VA_ARGS__)(SKERRY_DISTINCT_RMA, _put_signal, __VA_ARGS__)
#define shmem_put_signal_nbi(...) SKERRY_FORM_OF_7(__VA_ARGS__)(SKERRY_DISTINCT_RMA, _put_signal_nbi, __VA_ARGS__)

// With three arguments these macros call the C functions of the same names, which use the default context.
#define shmem_signal_add(...)                                                                                          \
    SKERRY_IF_EIGHT(shmem_ctx_signal_add, shmem_signal_add, ~, ~, ~, ~, __VA_ARGS__)(__VA_ARGS__)
#define shmem_signal_set(...)                                                                                          \
    SKERRY_IF_EIGHT(shmem_ctx_signal_set, shmem_signal_set, ~, ~, ~, ~, __VA_ARGS__)(__VA_ARGS__)

// -- Atomics -----------------------------------------------------------------------------------------------------------

#define shmem_atomic_fetch(...)                                                                                        \
    SKERRY_FORM_OF_2(__VA_ARGS__)(SKERRY_DISTINCT_EXTENDED_ATOMIC, _atomic_fetch, __VA_ARGS__)
#define shmem_atomic_set(...) SKERRY_FORM_OF_3(__VA_ARGS__)(SKERRY_DISTINCT_EXTENDED_ATOMIC, _atomic_set, __VA_ARGS__)
#define shmem_atomic_swap(...) SKERRY_FORM_OF_3(__VA_ARGS__)(SKERRY_DISTINCT_EXTENDED_ATOMIC, _atomic_swap, __VA_ARGS__)
#define shmem_atomic_fetch_nbi(...)                                                                                    \
    SKERRY_FORM_OF_3(__VA_ARGS__)(SKERRY_DISTINCT_EXTENDED_ATOMIC, _atomic_fetch_nbi, __VA_ARGS__)
#define shmem_atomic_swap_nbi(...)                                                                                     \
    SKERRY_FORM_OF_4(__VA_ARGS__)(SKERRY_DISTINCT_EXTENDED_ATOMIC, _atomic_swap_nbi, __VA_ARGS__)
#define shmem_atomic_inc(...) SKERRY_FORM_OF_2(__VA_ARGS__)(SKERRY_DISTINCT_STANDARD_ATOMIC, _atomic_inc, __VA_ARGS__)
#define shmem_atomic_fetch_inc(...)                                                                                    \
    SKERRY_FORM_OF_2(__VA_ARGS__)(SKERRY_DISTINCT_STANDARD_ATOMIC, _atomic_fetch_inc, __VA_ARGS__)
#define shmem_atomic_add(...) SKERRY_FORM_OF_3(__VA_ARGS__)(SKERRY_DISTINCT_STANDARD_ATOMIC, _atomic_add, __VA_ARGS__)
#define shmem_atomic_fetch_add(...)                                                                                    \
    SKERRY_FORM_OF_3(__VA_ARGS__)(SKERRY_DISTINCT_STANDARD_ATOMIC, _atomic_fetch_add, __VA_ARGS__)
#define shmem_atomic_fetch_inc_nbi(...)                                                                                \
    SKERRY_FORM_OF_3(__VA_ARGS__)(SKERRY_DISTINCT_STANDARD_ATOMIC, _atomic_fetch_inc_nbi, __VA_ARGS__)
#define shmem_atomic_compare_swap(...)                                                                                 \
    SKERRY_FORM_OF_4(__VA_ARGS__)(SKERRY_DISTINCT_STANDARD_ATOMIC, _atomic_compare_swap, __VA_ARGS__)
#define shmem_atomic_fetch_add_nbi(...)                                                                                \
    SKERRY_FORM_OF_4(__VA_ARGS__)(SKERRY_DISTINCT_STANDARD_ATOMIC, _atomic_fetch_add_nbi, __VA_ARGS__)
#define shmem_atomic_compare_swap_nbi(...)                                                                             \
    SKERRY_FORM_OF_5(__VA_ARGS__)(SKERRY_DISTINCT_STANDARD_ATOMIC, _atomic_compare_swap_nbi, __VA_ARGS__)
#define shmem_atomic_and(...) SKERRY_FORM_OF_3(__VA_ARGS__)(SKERRY_DISTINCT_BITWISE_ATOMIC, _atomic_and, __VA_ARGS__)
#define shmem_atomic_or(...) SKERRY_FORM_OF_3(__VA_ARGS__)(SKERRY_DISTINCT_BITWISE_ATOMIC, _atomic_or, __VA_ARGS__)
#define shmem_atomic_xor(...) SKERRY_FORM_OF_3(__VA_ARGS__)(SKERRY_DISTINCT_BITWISE_ATOMIC, _atomic_xor, __VA_ARGS__)
#define shmem_atomic_fetch_and(...)                                                                                    \
    SKERRY_FORM_OF_3(__VA_ARGS__)(SKERRY_DISTINCT_BITWISE_ATOMIC, _atomic_fetch_and, __VA_ARGS__)
#define shmem_atomic_fetch_or(...)                                                                                     \
    SKERRY_FORM_OF_3(__VA_ARGS__)(SKERRY_DISTINCT_BITWISE_ATOMIC, _atomic_fetch_or, __VA_ARGS__)
#define shmem_atomic_fetch_xor(...)                                                                                    \
    SKERRY_FORM_OF_3(__VA_ARGS__)(SKERRY_DISTINCT_BITWISE_ATOMIC, _atomic_fetch_xor, __VA_ARGS__)
#define shmem_atomic_fetch_and_nbi(...)                                                                                \
    SKERRY_FORM_OF_4(__VA_ARGS__)(SKERRY_DISTINCT_BITWISE_ATOMIC, _atomic_fetch_and_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_or_nbi(...)                                                                                 \
    SKERRY_FORM_OF_4(__VA_ARGS__)(SKERRY_DISTINCT_BITWISE_ATOMIC, _atomic_fetch_or_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_xor_nbi(...)                                                                                \
    SKERRY_FORM_OF_4(__VA_ARGS__)(SKERRY_DISTINCT_BITWISE_ATOMIC, _atomic_fetch_xor_nbi, __VA_ARGS__)

// Defines the deprecated names, which have no form with a context.
#define shmem_fetch(...) SKERRY_BY_TYPE(SKERRY_DISTINCT_OLD_EXTENDED_ATOMIC, _fetch, __VA_ARGS__)
#define shmem_set(...) SKERRY_BY_TYPE(SKERRY_DISTINCT_OLD_EXTENDED_ATOMIC, _set, __VA_ARGS__)
#define shmem_swap(...) SKERRY_BY_TYPE(SKERRY_DISTINCT_OLD_EXTENDED_ATOMIC, _swap, __VA_ARGS__)
#define shmem_cswap(...) SKERRY_BY_TYPE(SKERRY_DISTINCT_OLD_ATOMIC, _cswap, __VA_ARGS__)
#define shmem_finc(...) SKERRY_BY_TYPE(SKERRY_DISTINCT_OLD_ATOMIC, _finc, __VA_ARGS__)
#define shmem_inc(...) SKERRY_BY_TYPE(SKERRY_DISTINCT_OLD_ATOMIC, _inc, __VA_ARGS__)
#define shmem_fadd(...) SKERRY_BY_TYPE(SKERRY_DISTINCT_OLD_ATOMIC, _fadd, __VA_ARGS__)
#define shmem_add(...) SKERRY_BY_TYPE(SKERRY_DISTINCT_OLD_ATOMIC, _add, __VA_ARGS__)

// -- Collectives -------------------------------------------------------------------------------------------------------

// With one argument, a team, this macro calls shmem_team_sync. With four arguments, an active set, it calls the C
// function shmem_sync.
#define shmem_sync(...)                                                                                                \
    SKERRY_TENTH(__VA_ARGS__, shmem_sync, shmem_sync, shmem_sync, shmem_sync, shmem_sync, shmem_sync, shmem_sync,      \
                 shmem_sync, shmem_team_sync, ~)                                                                       \
    (__VA_ARGS__)

#define shmem_alltoall(...) SKERRY_BY_TYPE_AFTER_TEAM(SKERRY_DISTINCT_RMA, _alltoall, __VA_ARGS__)
#define shmem_alltoalls(...) SKERRY_BY_TYPE_AFTER_TEAM(SKERRY_DISTINCT_RMA, _alltoalls, __VA_ARGS__)
#define shmem_broadcast(...) SKERRY_BY_TYPE_AFTER_TEAM(SKERRY_DISTINCT_RMA, _broadcast, __VA_ARGS__)
#define shmem_collect(...) SKERRY_BY_TYPE_AFTER_TEAM(SKERRY_DISTINCT_RMA, _collect, __VA_ARGS__)
#define shmem_fcollect(...) SKERRY_BY_TYPE_AFTER_TEAM(SKERRY_DISTINCT_RMA, _fcollect, __VA_ARGS__)
#define shmem_and_reduce(...) SKERRY_BY_TYPE_AFTER_TEAM(SKERRY_DISTINCT_REDUCE_BITWISE, _and_reduce, __VA_ARGS__)
#define shmem_or_reduce(...) SKERRY_BY_TYPE_AFTER_TEAM(SKERRY_DISTINCT_REDUCE_BITWISE, _or_reduce, __VA_ARGS__)
#define shmem_xor_reduce(...) SKERRY_BY_TYPE_AFTER_TEAM(SKERRY_DISTINCT_REDUCE_BITWISE, _xor_reduce, __VA_ARGS__)
#define shmem_max_reduce(...) SKERRY_BY_TYPE_AFTER_TEAM(SKERRY_DISTINCT_RMA, _max_reduce, __VA_ARGS__)
#define shmem_min_reduce(...) SKERRY_BY_TYPE_AFTER_TEAM(SKERRY_DISTINCT_RMA, _min_reduce, __VA_ARGS__)
#define shmem_sum_reduce(...) SKERRY_BY_TYPE_AFTER_TEAM(SKERRY_DISTINCT_REDUCE_SUM, _sum_reduce, __VA_ARGS__)
#define shmem_prod_reduce(...) SKERRY_BY_TYPE_AFTER_TEAM(SKERRY_DISTINCT_REDUCE_SUM, _prod_reduce, __VA_ARGS__)
#define shmem_sum_inscan(...) SKERRY_BY_TYPE_AFTER_TEAM(SKERRY_DISTINCT_REDUCE_SUM, _sum_inscan, __VA_ARGS__)
#define shmem_sum_exscan(...) SKERRY_BY_TYPE_AFTER_TEAM(SKERRY_DISTINCT_REDUCE_SUM, _sum_exscan, __VA_ARGS__)

// -- Point-to-point synchronisation ------------------------------------------------------------------------------------

// There is also a C function shmem_wait_until, for a long. This macro hides it.
#define shmem_wait_until(...) SKERRY_BY_TYPE(SKERRY_DISTINCT_WAIT, _wait_until, __VA_ARGS__)
#define shmem_test(...) SKERRY_BY_TYPE(SKERRY_DISTINCT_WAIT, _test, __VA_ARGS__)
#define shmem_wait_until_all(...) SKERRY_BY_TYPE(SKERRY_DISTINCT_STANDARD_ATOMIC, _wait_until_all, __VA_ARGS__)
#define shmem_wait_until_any(...) SKERRY_BY_TYPE(SKERRY_DISTINCT_STANDARD_ATOMIC, _wait_until_any, __VA_ARGS__)
#define shmem_wait_until_some(...) SKERRY_BY_TYPE(SKERRY_DISTINCT_STANDARD_ATOMIC, _wait_until_some, __VA_ARGS__)
#define shmem_test_all(...) SKERRY_BY_TYPE(SKERRY_DISTINCT_STANDARD_ATOMIC, _test_all, __VA_ARGS__)
#define shmem_test_any(...) SKERRY_BY_TYPE(SKERRY_DISTINCT_STANDARD_ATOMIC, _test_any, __VA_ARGS__)
#define shmem_test_some(...) SKERRY_BY_TYPE(SKERRY_DISTINCT_STANDARD_ATOMIC, _test_some, __VA_ARGS__)
#define shmem_wait_until_all_vector(...)                                                                               \
    SKERRY_BY_TYPE(SKERRY_DISTINCT_STANDARD_ATOMIC, _wait_until_all_vector, __VA_ARGS__)
#define shmem_wait_until_any_vector(...)                                                                               \
    SKERRY_BY_TYPE(SKERRY_DISTINCT_STANDARD_ATOMIC, _wait_until_any_vector, __VA_ARGS__)
#define shmem_wait_until_some_vector(...)                                                                              \
    SKERRY_BY_TYPE(SKERRY_DISTINCT_STANDARD_ATOMIC, _wait_until_some_vector, __VA_ARGS__)
#define shmem_test_all_vector(...) SKERRY_BY_TYPE(SKERRY_DISTINCT_STANDARD_ATOMIC, _test_all_vector, __VA_ARGS__)
#define shmem_test_any_vector(...) SKERRY_BY_TYPE(SKERRY_DISTINCT_STANDARD_ATOMIC, _test_any_vector, __VA_ARGS__)
#define shmem_test_some_vector(...) SKERRY_BY_TYPE(SKERRY_DISTINCT_STANDARD_ATOMIC, _test_some_vector, __VA_ARGS__)

#endif
