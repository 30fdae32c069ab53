// SPDX-License-Identifier: BSD-3-Clause
// Defines the type-generic names for C++: one inline function, not a template, for each type. So only the types of the
// pointers select the overload, and the compiler converts a number of any type to the type of the value. Each function
// calls its C routine and does nothing else.
#ifndef SKERRY_SHMEM_OVERLOAD_H
#define SKERRY_SHMEM_OVERLOAD_H

#include "distinct.h"

// Define the overload of one routine for one type, for example shmem_put for shmem_long_put, or for shmem_ctx_long_put.
#define SKERRY_OVERLOAD(NAME, TYPE, RESULT, REST, SHAPE)                                                               \
    inline __attribute__((always_inline)) RESULT(TYPE) shmem##REST(SHAPE##_ARGUMENTS(TYPE)) {                          \
        return shmem_##NAME##REST(SHAPE##_VALUES);                                                                     \
    }
#define SKERRY_OVERLOAD_ON_CONTEXT(NAME, TYPE, RESULT, REST, SHAPE)                                                    \
    inline __attribute__((always_inline)) RESULT(TYPE) shmem##REST(shmem_ctx_t ctx, SHAPE##_ARGUMENTS(TYPE)) {         \
        return shmem_ctx_##NAME##REST(ctx, SHAPE##_VALUES);                                                            \
    }

// Define the overloads of a routine for every type of a family. SKERRY_OVERLOADS defines only the overloads without a
// context; SKERRY_OVERLOAD_PAIRS defines the overloads without and with a context.
#define SKERRY_OVERLOADS(FAMILY, RESULT, REST, SHAPE) SKERRY_DISTINCT_##FAMILY(SKERRY_OVERLOAD, RESULT, REST, SHAPE)
#define SKERRY_OVERLOAD_PAIRS(FAMILY, RESULT, REST, SHAPE)                                                             \
    SKERRY_OVERLOADS(FAMILY, RESULT, REST, SHAPE)                                                                      \
    SKERRY_DISTINCT_##FAMILY(SKERRY_OVERLOAD_ON_CONTEXT, RESULT, REST, SHAPE)

// Give the result type of a routine: nothing, a value of TYPE, a status, or an index or count.
#define SKERRY_RESULT_NOTHING(TYPE) void
#define SKERRY_RESULT_VALUE(TYPE) TYPE
#define SKERRY_RESULT_STATUS(TYPE) int
#define SKERRY_RESULT_INDEX(TYPE) size_t

// -- Remote memory access ----------------------------------------------------------------------------------------------

#define SKERRY_COPY_ARGUMENTS(TYPE) TYPE *dest, const TYPE *source, size_t nelems, int pe
#define SKERRY_COPY_VALUES dest, source, nelems, pe
#define SKERRY_STORE_ARGUMENTS(TYPE) TYPE *dest, TYPE value, int pe
#define SKERRY_STORE_VALUES dest, value, pe
#define SKERRY_LOAD_ARGUMENTS(TYPE) const TYPE *source, int pe
#define SKERRY_LOAD_VALUES source, pe
#define SKERRY_STRIDED_ARGUMENTS(TYPE)                                                                                 \
    TYPE *dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe
#define SKERRY_STRIDED_VALUES dest, source, dst, sst, nelems, pe
#define SKERRY_BLOCKS_ARGUMENTS(TYPE)                                                                                  \
    TYPE *dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe
#define SKERRY_BLOCKS_VALUES dest, source, dst, sst, bsize, nblocks, pe
#define SKERRY_SIGNALLED_ARGUMENTS(TYPE)                                                                               \
    TYPE *dest, const TYPE *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe
#define SKERRY_SIGNALLED_VALUES dest, source, nelems, sig_addr, signal, sig_op, pe

SKERRY_OVERLOAD_PAIRS(RMA, SKERRY_RESULT_NOTHING, _put, SKERRY_COPY)
SKERRY_OVERLOAD_PAIRS(RMA, SKERRY_RESULT_NOTHING, _get, SKERRY_COPY)
SKERRY_OVERLOAD_PAIRS(RMA, SKERRY_RESULT_NOTHING, _put_nbi, SKERRY_COPY)
SKERRY_OVERLOAD_PAIRS(RMA, SKERRY_RESULT_NOTHING, _get_nbi, SKERRY_COPY)
SKERRY_OVERLOAD_PAIRS(RMA, SKERRY_RESULT_NOTHING, _p, SKERRY_STORE)
SKERRY_OVERLOAD_PAIRS(RMA, SKERRY_RESULT_VALUE, _g, SKERRY_LOAD)
SKERRY_OVERLOAD_PAIRS(RMA, SKERRY_RESULT_NOTHING, _iput, SKERRY_STRIDED)
SKERRY_OVERLOAD_PAIRS(RMA, SKERRY_RESULT_NOTHING, _iget, SKERRY_STRIDED)
SKERRY_OVERLOAD_PAIRS(RMA, SKERRY_RESULT_NOTHING, _ibput, SKERRY_BLOCKS)
SKERRY_OVERLOAD_PAIRS(RMA, SKERRY_RESULT_NOTHING, _ibget, SKERRY_BLOCKS)
SKERRY_OVERLOAD_PAIRS(RMA, SKERRY_RESULT_NOTHING, _put_signal, SKERRY_SIGNALLED)
SKERRY_OVERLOAD_PAIRS(RMA, SKERRY_RESULT_NOTHING, _put_signal_nbi, SKERRY_SIGNALLED)

// These overloads have a context. Without a context the two routines are C functions of the same names.
inline __attribute__((always_inline)) void shmem_signal_add(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal,
                                                            int pe) {
    shmem_ctx_signal_add(ctx, sig_addr, signal, pe);
}
inline __attribute__((always_inline)) void shmem_signal_set(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal,
                                                            int pe) {
    shmem_ctx_signal_set(ctx, sig_addr, signal, pe);
}

// -- Atomics -----------------------------------------------------------------------------------------------------------

#define SKERRY_WORD_ARGUMENTS(TYPE) TYPE *dest, int pe
#define SKERRY_WORD_VALUES dest, pe
#define SKERRY_CONDITIONAL_ARGUMENTS(TYPE) TYPE *dest, TYPE cond, TYPE value, int pe
#define SKERRY_CONDITIONAL_VALUES dest, cond, value, pe
#define SKERRY_LOAD_NBI_ARGUMENTS(TYPE) TYPE *fetch, const TYPE *source, int pe
#define SKERRY_LOAD_NBI_VALUES fetch, source, pe
#define SKERRY_WORD_NBI_ARGUMENTS(TYPE) TYPE *fetch, TYPE *dest, int pe
#define SKERRY_WORD_NBI_VALUES fetch, dest, pe
#define SKERRY_STORE_NBI_ARGUMENTS(TYPE) TYPE *fetch, TYPE *dest, TYPE value, int pe
#define SKERRY_STORE_NBI_VALUES fetch, dest, value, pe
#define SKERRY_CONDITIONAL_NBI_ARGUMENTS(TYPE) TYPE *fetch, TYPE *dest, TYPE cond, TYPE value, int pe
#define SKERRY_CONDITIONAL_NBI_VALUES fetch, dest, cond, value, pe

SKERRY_OVERLOAD_PAIRS(EXTENDED_ATOMIC, SKERRY_RESULT_VALUE, _atomic_fetch, SKERRY_LOAD)
SKERRY_OVERLOAD_PAIRS(EXTENDED_ATOMIC, SKERRY_RESULT_NOTHING, _atomic_set, SKERRY_STORE)
SKERRY_OVERLOAD_PAIRS(EXTENDED_ATOMIC, SKERRY_RESULT_VALUE, _atomic_swap, SKERRY_STORE)
SKERRY_OVERLOAD_PAIRS(EXTENDED_ATOMIC, SKERRY_RESULT_NOTHING, _atomic_fetch_nbi, SKERRY_LOAD_NBI)
SKERRY_OVERLOAD_PAIRS(EXTENDED_ATOMIC, SKERRY_RESULT_NOTHING, _atomic_swap_nbi, SKERRY_STORE_NBI)

SKERRY_OVERLOAD_PAIRS(STANDARD_ATOMIC, SKERRY_RESULT_NOTHING, _atomic_inc, SKERRY_WORD)
SKERRY_OVERLOAD_PAIRS(STANDARD_ATOMIC, SKERRY_RESULT_NOTHING, _atomic_add, SKERRY_STORE)
SKERRY_OVERLOAD_PAIRS(STANDARD_ATOMIC, SKERRY_RESULT_VALUE, _atomic_fetch_inc, SKERRY_WORD)
SKERRY_OVERLOAD_PAIRS(STANDARD_ATOMIC, SKERRY_RESULT_VALUE, _atomic_fetch_add, SKERRY_STORE)
SKERRY_OVERLOAD_PAIRS(STANDARD_ATOMIC, SKERRY_RESULT_VALUE, _atomic_compare_swap, SKERRY_CONDITIONAL)
SKERRY_OVERLOAD_PAIRS(STANDARD_ATOMIC, SKERRY_RESULT_NOTHING, _atomic_fetch_inc_nbi, SKERRY_WORD_NBI)
SKERRY_OVERLOAD_PAIRS(STANDARD_ATOMIC, SKERRY_RESULT_NOTHING, _atomic_fetch_add_nbi, SKERRY_STORE_NBI)
SKERRY_OVERLOAD_PAIRS(STANDARD_ATOMIC, SKERRY_RESULT_NOTHING, _atomic_compare_swap_nbi, SKERRY_CONDITIONAL_NBI)

SKERRY_OVERLOAD_PAIRS(BITWISE_ATOMIC, SKERRY_RESULT_NOTHING, _atomic_and, SKERRY_STORE)
SKERRY_OVERLOAD_PAIRS(BITWISE_ATOMIC, SKERRY_RESULT_NOTHING, _atomic_or, SKERRY_STORE)
SKERRY_OVERLOAD_PAIRS(BITWISE_ATOMIC, SKERRY_RESULT_NOTHING, _atomic_xor, SKERRY_STORE)
SKERRY_OVERLOAD_PAIRS(BITWISE_ATOMIC, SKERRY_RESULT_VALUE, _atomic_fetch_and, SKERRY_STORE)
SKERRY_OVERLOAD_PAIRS(BITWISE_ATOMIC, SKERRY_RESULT_VALUE, _atomic_fetch_or, SKERRY_STORE)
SKERRY_OVERLOAD_PAIRS(BITWISE_ATOMIC, SKERRY_RESULT_VALUE, _atomic_fetch_xor, SKERRY_STORE)
SKERRY_OVERLOAD_PAIRS(BITWISE_ATOMIC, SKERRY_RESULT_NOTHING, _atomic_fetch_and_nbi, SKERRY_STORE_NBI)
SKERRY_OVERLOAD_PAIRS(BITWISE_ATOMIC, SKERRY_RESULT_NOTHING, _atomic_fetch_or_nbi, SKERRY_STORE_NBI)
SKERRY_OVERLOAD_PAIRS(BITWISE_ATOMIC, SKERRY_RESULT_NOTHING, _atomic_fetch_xor_nbi, SKERRY_STORE_NBI)

// Defines the deprecated names, which have no form with a context.
SKERRY_OVERLOADS(OLD_EXTENDED_ATOMIC, SKERRY_RESULT_VALUE, _fetch, SKERRY_LOAD)
SKERRY_OVERLOADS(OLD_EXTENDED_ATOMIC, SKERRY_RESULT_NOTHING, _set, SKERRY_STORE)
SKERRY_OVERLOADS(OLD_EXTENDED_ATOMIC, SKERRY_RESULT_VALUE, _swap, SKERRY_STORE)
SKERRY_OVERLOADS(OLD_ATOMIC, SKERRY_RESULT_VALUE, _cswap, SKERRY_CONDITIONAL)
SKERRY_OVERLOADS(OLD_ATOMIC, SKERRY_RESULT_VALUE, _finc, SKERRY_WORD)
SKERRY_OVERLOADS(OLD_ATOMIC, SKERRY_RESULT_NOTHING, _inc, SKERRY_WORD)
SKERRY_OVERLOADS(OLD_ATOMIC, SKERRY_RESULT_VALUE, _fadd, SKERRY_STORE)
SKERRY_OVERLOADS(OLD_ATOMIC, SKERRY_RESULT_NOTHING, _add, SKERRY_STORE)

// -- Collectives -------------------------------------------------------------------------------------------------------

// This overload is for a team. The overload for an active set is the C function shmem_sync(PE_start, ...).
inline __attribute__((always_inline)) int shmem_sync(shmem_team_t team) {
    return shmem_team_sync(team);
}

#define SKERRY_TEAM_ARGUMENTS(TYPE) shmem_team_t team, TYPE *dest, const TYPE *source, size_t nelems
#define SKERRY_TEAM_VALUES team, dest, source, nelems
#define SKERRY_TEAM_STRIDED_ARGUMENTS(TYPE)                                                                            \
    shmem_team_t team, TYPE *dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems
#define SKERRY_TEAM_STRIDED_VALUES team, dest, source, dst, sst, nelems
#define SKERRY_TEAM_ROOT_ARGUMENTS(TYPE) shmem_team_t team, TYPE *dest, const TYPE *source, size_t nelems, int PE_root
#define SKERRY_TEAM_ROOT_VALUES team, dest, source, nelems, PE_root

SKERRY_OVERLOADS(RMA, SKERRY_RESULT_STATUS, _alltoall, SKERRY_TEAM)
SKERRY_OVERLOADS(RMA, SKERRY_RESULT_STATUS, _alltoalls, SKERRY_TEAM_STRIDED)
SKERRY_OVERLOADS(RMA, SKERRY_RESULT_STATUS, _broadcast, SKERRY_TEAM_ROOT)
SKERRY_OVERLOADS(RMA, SKERRY_RESULT_STATUS, _collect, SKERRY_TEAM)
SKERRY_OVERLOADS(RMA, SKERRY_RESULT_STATUS, _fcollect, SKERRY_TEAM)
SKERRY_OVERLOADS(REDUCE_BITWISE, SKERRY_RESULT_STATUS, _and_reduce, SKERRY_TEAM)
SKERRY_OVERLOADS(REDUCE_BITWISE, SKERRY_RESULT_STATUS, _or_reduce, SKERRY_TEAM)
SKERRY_OVERLOADS(REDUCE_BITWISE, SKERRY_RESULT_STATUS, _xor_reduce, SKERRY_TEAM)
SKERRY_OVERLOADS(RMA, SKERRY_RESULT_STATUS, _max_reduce, SKERRY_TEAM)
SKERRY_OVERLOADS(RMA, SKERRY_RESULT_STATUS, _min_reduce, SKERRY_TEAM)
SKERRY_OVERLOADS(REDUCE_SUM, SKERRY_RESULT_STATUS, _sum_reduce, SKERRY_TEAM)
SKERRY_OVERLOADS(REDUCE_SUM, SKERRY_RESULT_STATUS, _prod_reduce, SKERRY_TEAM)
SKERRY_OVERLOADS(REDUCE_SUM, SKERRY_RESULT_STATUS, _sum_inscan, SKERRY_TEAM)
SKERRY_OVERLOADS(REDUCE_SUM, SKERRY_RESULT_STATUS, _sum_exscan, SKERRY_TEAM)

// Accept the complex numbers of C++ (std::complex), which have the same layout as complex numbers of C: the real part,
// then the imaginary part. The templates recognise such a type by its members real() and imag(). Therefore this header
// does not include <complex>, which most programs do not need.
template <typename Number, typename Real, typename Imaginary> struct skerry_complex {};
template <typename Number> struct skerry_complex<Number, double, double> {
    static_assert(sizeof(Number) == sizeof(double _Complex), "a complex number is its real and its imaginary part");
    typedef double _Complex type;
    typedef int status;
};
template <typename Number> struct skerry_complex<Number, float, float> {
    static_assert(sizeof(Number) == sizeof(float _Complex), "a complex number is its real and its imaginary part");
    typedef float _Complex type;
    typedef int status;
};

#define SKERRY_OVERLOAD_COMPLEX(REST)                                                                                  \
    template <typename Number>                                                                                         \
    inline auto shmem##REST(shmem_team_t team, Number *dest, const Number *source, size_t nelems)                      \
        ->typename skerry_complex<Number, decltype(source->real()), decltype(source->imag())>::status {                \
        typedef typename skerry_complex<Number, decltype(source->real()), decltype(source->imag())>::type type;        \
        return shmem##REST(team, reinterpret_cast<type *>(dest), reinterpret_cast<const type *>(source), nelems);      \
    }
SKERRY_OVERLOAD_COMPLEX(_sum_reduce)
SKERRY_OVERLOAD_COMPLEX(_prod_reduce)
SKERRY_OVERLOAD_COMPLEX(_sum_inscan)
SKERRY_OVERLOAD_COMPLEX(_sum_exscan)

// -- Point-to-point synchronisation ------------------------------------------------------------------------------------

#define SKERRY_COMPARISON_ARGUMENTS(TYPE) TYPE *ivar, int cmp, TYPE cmp_value
#define SKERRY_COMPARISON_VALUES ivar, cmp, cmp_value
#define SKERRY_COMPARISONS_ARGUMENTS(TYPE) TYPE *ivars, size_t nelems, const int *status, int cmp, TYPE cmp_value
#define SKERRY_COMPARISONS_VALUES ivars, nelems, status, cmp, cmp_value
#define SKERRY_COMPARISONS_SOME_ARGUMENTS(TYPE)                                                                        \
    TYPE *ivars, size_t nelems, size_t *indices, const int *status, int cmp, TYPE cmp_value
#define SKERRY_COMPARISONS_SOME_VALUES ivars, nelems, indices, status, cmp, cmp_value
#define SKERRY_COMPARISONS_VECTOR_ARGUMENTS(TYPE)                                                                      \
    TYPE *ivars, size_t nelems, const int *status, int cmp, const TYPE *cmp_values
#define SKERRY_COMPARISONS_VECTOR_VALUES ivars, nelems, status, cmp, cmp_values
#define SKERRY_COMPARISONS_SOME_VECTOR_ARGUMENTS(TYPE)                                                                 \
    TYPE *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const TYPE *cmp_values
#define SKERRY_COMPARISONS_SOME_VECTOR_VALUES ivars, nelems, indices, status, cmp, cmp_values

// Defines overloads of shmem_wait_until for all types except long. For long, shmem_wait_until is a C function.
SKERRY_OVERLOADS(WAIT_BUT_LONG, SKERRY_RESULT_NOTHING, _wait_until, SKERRY_COMPARISON)
SKERRY_OVERLOADS(WAIT, SKERRY_RESULT_STATUS, _test, SKERRY_COMPARISON)

SKERRY_OVERLOADS(STANDARD_ATOMIC, SKERRY_RESULT_NOTHING, _wait_until_all, SKERRY_COMPARISONS)
SKERRY_OVERLOADS(STANDARD_ATOMIC, SKERRY_RESULT_INDEX, _wait_until_any, SKERRY_COMPARISONS)
SKERRY_OVERLOADS(STANDARD_ATOMIC, SKERRY_RESULT_INDEX, _wait_until_some, SKERRY_COMPARISONS_SOME)
SKERRY_OVERLOADS(STANDARD_ATOMIC, SKERRY_RESULT_NOTHING, _wait_until_all_vector, SKERRY_COMPARISONS_VECTOR)
SKERRY_OVERLOADS(STANDARD_ATOMIC, SKERRY_RESULT_INDEX, _wait_until_any_vector, SKERRY_COMPARISONS_VECTOR)
SKERRY_OVERLOADS(STANDARD_ATOMIC, SKERRY_RESULT_INDEX, _wait_until_some_vector, SKERRY_COMPARISONS_SOME_VECTOR)
SKERRY_OVERLOADS(STANDARD_ATOMIC, SKERRY_RESULT_STATUS, _test_all, SKERRY_COMPARISONS)
SKERRY_OVERLOADS(STANDARD_ATOMIC, SKERRY_RESULT_INDEX, _test_any, SKERRY_COMPARISONS)
SKERRY_OVERLOADS(STANDARD_ATOMIC, SKERRY_RESULT_INDEX, _test_some, SKERRY_COMPARISONS_SOME)
SKERRY_OVERLOADS(STANDARD_ATOMIC, SKERRY_RESULT_STATUS, _test_all_vector, SKERRY_COMPARISONS_VECTOR)
SKERRY_OVERLOADS(STANDARD_ATOMIC, SKERRY_RESULT_INDEX, _test_any_vector, SKERRY_COMPARISONS_VECTOR)
SKERRY_OVERLOADS(STANDARD_ATOMIC, SKERRY_RESULT_INDEX, _test_some_vector, SKERRY_COMPARISONS_SOME_VECTOR)

#endif
