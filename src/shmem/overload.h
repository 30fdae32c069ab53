// SPDX-License-Identifier: BSD-3-Clause
// Defines the type-generic names for C++: one inline function, not a template, for each type. Each function calls its C
// routine and does nothing else. Only the types of the pointers select the overload. The compiler converts a number of
// any type to the type of the value.
#ifndef SKERRY_SHMEM_OVERLOAD_H
#define SKERRY_SHMEM_OVERLOAD_H

#include "distinct.h"

// These macros define the overload of one routine for one type, for example shmem_put for shmem_long_put, or for
// shmem_ctx_long_put.
#define SKERRY_OVERLOAD(NAME, TYPE, RESULT, REST, SHAPE)                                                               \
    inline __attribute__((always_inline)) RESULT(TYPE) shmem##REST(SHAPE##_ARGUMENTS(TYPE)) {                          \
        return shmem_##NAME##REST(SHAPE##_VALUES);                                                                     \
    }
#define SKERRY_OVERLOAD_ON_CONTEXT(NAME, TYPE, RESULT, REST, SHAPE)                                                    \
    inline __attribute__((always_inline)) RESULT(TYPE) shmem##REST(shmem_ctx_t ctx, SHAPE##_ARGUMENTS(TYPE)) {         \
        return shmem_ctx_##NAME##REST(ctx, SHAPE##_VALUES);                                                            \
    }

// Reads the table of each chapter (rma.h, amo.h, ...), which here defines the overloads of the chapter's routines.
#define SKERRY_READING_OVERLOADS
#include "api.h"
#include "lists.h"
#undef SKERRY_READING_OVERLOADS

// -- Complex numbers ---------------------------------------------------------------------------------------------------

// These templates let the overloads accept the complex numbers of C++ (std::complex), which have the same layout as
// complex numbers of C: the real part, then the imaginary part. The templates recognise such a type by its members
// real() and imag(). Therefore this header need not include <complex>, which most programs do not use.
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

#endif
