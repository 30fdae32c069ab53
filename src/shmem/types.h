// SPDX-License-Identifier: BSD-3-Clause
// Defines the lists of types from which all families of routines are made. A list calls the macro X with TYPENAME (the
// part of a routine's name that stands for the type) and the C type. Each list follows a table of OpenSHMEM 1.6. A list
// that contains all types of another list is built from the other list.
#ifndef SKERRY_SHMEM_TYPES_H
#define SKERRY_SHMEM_TYPES_H

#include <stddef.h>
#include <stdint.h>

// Lists the integer types of the standard and extended atomics and of the wait and test routines (tables 4 and 7).
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

// Lists the types of the atomics that only read or write a value: fetch, set and swap (table 5).
#define SKERRY_EXTENDED_ATOMIC_TYPES(X)                                                                                \
    X(float, float)                                                                                                    \
    X(double, double)                                                                                                  \
    SKERRY_STANDARD_ATOMIC_TYPES(X)

// Lists the types of the bitwise atomics (table 6).
#define SKERRY_BITWISE_ATOMIC_TYPES(X)                                                                                 \
    X(uint, unsigned int)                                                                                              \
    X(ulong, unsigned long)                                                                                            \
    X(ulonglong, unsigned long long)                                                                                   \
    X(int32, int32_t)                                                                                                  \
    X(int64, int64_t)                                                                                                  \
    X(uint32, uint32_t)                                                                                                \
    X(uint64, uint64_t)

// Lists the types of puts and gets, of collectives that copy, and of minimum and maximum (table 3).
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

// List the types of the team reductions (table 8): bitwise, ordered (minimum, maximum), and arithmetic (sum, product).
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

// List the types of the deprecated families, which are from earlier versions of the specification.
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

// List the element sizes, in bits and in bytes, of the routines whose names contain a size.
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
