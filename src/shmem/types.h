// SPDX-License-Identifier: BSD-3-Clause
// The lists of types from which all families of routines are made. A list calls X with the specification's TYPENAME and
// the C type. Each list follows a table of OpenSHMEM 1.6. A list that contains another one is built from it.
#ifndef SKERRY_SHMEM_TYPES_H
#define SKERRY_SHMEM_TYPES_H

#include <stddef.h>
#include <stdint.h>

// Integers of the standard and extended atomics, of wait and of test (tables 4 and 7).
#define SKERRY_STANDARD_ATOMIC_TYPES(X)                                                                                \
    X(int, int)                                                                                                        \
    X(long, long)                                                                                                      \
    X(longlong, long long)                                                                                             \
    X(uint, unsigned int)                                                                                              \
    X(ulong, unsigned long)                                                                                            \
    X(ulonglong, unsigned long long)                                                                                   \
    X(int32, int32_t)                                                                                                  \
    X(int64, int64_t)                                                                                                  \
    X(uint32, uint32_t)                                                                                                \
    X(uint64, uint64_t)                                                                                                \
    X(size, size_t)                                                                                                    \
    X(ptrdiff, ptrdiff_t)

// Atomics that only read or write a value: fetch, set and swap (table 5).
#define SKERRY_EXTENDED_ATOMIC_TYPES(X)                                                                                \
    X(float, float)                                                                                                    \
    X(double, double)                                                                                                  \
    SKERRY_STANDARD_ATOMIC_TYPES(X)

// Bitwise atomics (table 6).
#define SKERRY_BITWISE_ATOMIC_TYPES(X)                                                                                 \
    X(uint, unsigned int)                                                                                              \
    X(ulong, unsigned long)                                                                                            \
    X(ulonglong, unsigned long long)                                                                                   \
    X(int32, int32_t)                                                                                                  \
    X(int64, int64_t)                                                                                                  \
    X(uint32, uint32_t)                                                                                                \
    X(uint64, uint64_t)

// Types for puts and gets, for collectives that copy, and for minimum and maximum (table 3).
#define SKERRY_RMA_TYPES(X)                                                                                            \
    X(float, float)                                                                                                    \
    X(double, double)                                                                                                  \
    X(longdouble, long double)                                                                                         \
    X(char, char)                                                                                                      \
    X(schar, signed char)                                                                                              \
    X(short, short)                                                                                                    \
    X(int, int)                                                                                                        \
    X(long, long)                                                                                                      \
    X(longlong, long long)                                                                                             \
    X(uchar, unsigned char)                                                                                            \
    X(ushort, unsigned short)                                                                                          \
    X(uint, unsigned int)                                                                                              \
    X(ulong, unsigned long)                                                                                            \
    X(ulonglong, unsigned long long)                                                                                   \
    X(int8, int8_t)                                                                                                    \
    X(int16, int16_t)                                                                                                  \
    X(int32, int32_t)                                                                                                  \
    X(int64, int64_t)                                                                                                  \
    X(uint8, uint8_t)                                                                                                  \
    X(uint16, uint16_t)                                                                                                \
    X(uint32, uint32_t)                                                                                                \
    X(uint64, uint64_t)                                                                                                \
    X(size, size_t)                                                                                                    \
    X(ptrdiff, ptrdiff_t)

#define SKERRY_COMPLEX_TYPES(X)                                                                                        \
    X(complexd, double _Complex)                                                                                       \
    X(complexf, float _Complex)

// Team reductions (table 8): bitwise, ordered, arithmetic.
#define SKERRY_REDUCE_BITWISE_TYPES(X)                                                                                 \
    X(uchar, unsigned char)                                                                                            \
    X(ushort, unsigned short)                                                                                          \
    X(uint, unsigned int)                                                                                              \
    X(ulong, unsigned long)                                                                                            \
    X(ulonglong, unsigned long long)                                                                                   \
    X(int8, int8_t)                                                                                                    \
    X(int16, int16_t)                                                                                                  \
    X(int32, int32_t)                                                                                                  \
    X(int64, int64_t)                                                                                                  \
    X(uint8, uint8_t)                                                                                                  \
    X(uint16, uint16_t)                                                                                                \
    X(uint32, uint32_t)                                                                                                \
    X(uint64, uint64_t)                                                                                                \
    X(size, size_t)
#define SKERRY_REDUCE_ORDER_TYPES(X) SKERRY_RMA_TYPES(X)
#define SKERRY_REDUCE_SUM_TYPES(X) SKERRY_RMA_TYPES(X) SKERRY_COMPLEX_TYPES(X)

// The deprecated families of earlier versions.
#define SKERRY_OLD_INTEGER_TYPES(X)                                                                                    \
    X(short, short)                                                                                                    \
    X(int, int)                                                                                                        \
    X(long, long)                                                                                                      \
    X(longlong, long long)
#define SKERRY_OLD_REAL_TYPES(X)                                                                                       \
    X(float, float)                                                                                                    \
    X(double, double)                                                                                                  \
    X(longdouble, long double)
#define SKERRY_OLD_ATOMIC_TYPES(X)                                                                                     \
    X(int, int)                                                                                                        \
    X(long, long)                                                                                                      \
    X(longlong, long long)
#define SKERRY_OLD_EXTENDED_ATOMIC_TYPES(X)                                                                            \
    X(float, float)                                                                                                    \
    X(double, double)                                                                                                  \
    SKERRY_OLD_ATOMIC_TYPES(X)
#define SKERRY_SHORT_WAIT_TYPES(X)                                                                                     \
    X(short, short)                                                                                                    \
    X(ushort, unsigned short)

// Element sizes, in bits and in bytes, of the routines whose names have a size.
#define SKERRY_SIZES(X)                                                                                                \
    X(8, 1)                                                                                                            \
    X(16, 2)                                                                                                           \
    X(32, 4)                                                                                                           \
    X(64, 8)                                                                                                           \
    X(128, 16)
#define SKERRY_OLD_SIZES(X)                                                                                            \
    X(32, 4)                                                                                                           \
    X(64, 8)

#endif
