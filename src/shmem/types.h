// SPDX-License-Identifier: BSD-3-Clause
// Defines the lists of types from which all families of routines are made. Each list follows a table of OpenSHMEM 1.6.
// A list SKERRY_EACH_FAMILY calls the macro X for each type with these arguments:
// - TYPENAME: the part of a routine's name that stands for the type,
// - the C type,
// - the four further arguments that were passed to the list.
// A list that contains all types of another list is built from the other list.
#ifndef SKERRY_SHMEM_TYPES_H
#define SKERRY_SHMEM_TYPES_H

#include <stddef.h>
#include <stdint.h>

// Lists the integer types of the standard atomics (table 4 of the specification). The routines that wait for or test
// several words have the same types (table 7).
#define SKERRY_EACH_STANDARD_ATOMIC(X, A, B, C, D)                                                                     \
    X(int, int, A, B, C, D)                                                                                            \
    X(long, long, A, B, C, D)                                                                                          \
    X(longlong, long long, A, B, C, D)                                                                                 \
    X(uint, unsigned int, A, B, C, D)                                                                                  \
    X(ulong, unsigned long, A, B, C, D)                                                                                \
    X(ulonglong, unsigned long long, A, B, C, D)                                                                       \
    X(int32, int32_t, A, B, C, D)                                                                                      \
    X(int64, int64_t, A, B, C, D)                                                                                      \
    X(uint32, uint32_t, A, B, C, D)                                                                                    \
    X(uint64, uint64_t, A, B, C, D)                                                                                    \
    X(size, size_t, A, B, C, D)                                                                                        \
    X(ptrdiff, ptrdiff_t, A, B, C, D)

// Lists the types of the atomics that only read or write a value: fetch, set and swap (table 5 of the specification).
#define SKERRY_EACH_EXTENDED_ATOMIC(X, A, B, C, D)                                                                     \
    X(float, float, A, B, C, D)                                                                                        \
    X(double, double, A, B, C, D)                                                                                      \
    SKERRY_EACH_STANDARD_ATOMIC(X, A, B, C, D)

// Lists the types of the bitwise atomics (table 6 of the specification).
#define SKERRY_EACH_BITWISE_ATOMIC(X, A, B, C, D)                                                                      \
    X(uint, unsigned int, A, B, C, D)                                                                                  \
    X(ulong, unsigned long, A, B, C, D)                                                                                \
    X(ulonglong, unsigned long long, A, B, C, D)                                                                       \
    X(int32, int32_t, A, B, C, D)                                                                                      \
    X(int64, int64_t, A, B, C, D)                                                                                      \
    X(uint32, uint32_t, A, B, C, D)                                                                                    \
    X(uint64, uint64_t, A, B, C, D)

// Lists the types of shmem_wait_until and of shmem_test. Waits for short and unsigned short are deprecated. Both
// routines have the same types, but C++ overloads of different types: only shmem_wait_until has no overload for long,
// because the C function shmem_wait_until takes a long. So each routine needs its own pair of lists: WAIT_UNTIL and
// WAIT, here and in distinct.h.
#define SKERRY_EACH_WAIT(X, A, B, C, D)                                                                                \
    SKERRY_EACH_STANDARD_ATOMIC(X, A, B, C, D)                                                                         \
    X(short, short, A, B, C, D)                                                                                        \
    X(ushort, unsigned short, A, B, C, D)
#define SKERRY_EACH_WAIT_UNTIL(X, A, B, C, D) SKERRY_EACH_WAIT(X, A, B, C, D)

// Lists the types of puts and gets, of collectives that copy, and of minimum and maximum (table 3 of the
// specification).
#define SKERRY_EACH_RMA(X, A, B, C, D)                                                                                 \
    X(float, float, A, B, C, D)                                                                                        \
    X(double, double, A, B, C, D)                                                                                      \
    X(longdouble, long double, A, B, C, D)                                                                             \
    X(char, char, A, B, C, D)                                                                                          \
    X(schar, signed char, A, B, C, D)                                                                                  \
    X(short, short, A, B, C, D)                                                                                        \
    X(int, int, A, B, C, D)                                                                                            \
    X(long, long, A, B, C, D)                                                                                          \
    X(longlong, long long, A, B, C, D)                                                                                 \
    X(uchar, unsigned char, A, B, C, D)                                                                                \
    X(ushort, unsigned short, A, B, C, D)                                                                              \
    X(uint, unsigned int, A, B, C, D)                                                                                  \
    X(ulong, unsigned long, A, B, C, D)                                                                                \
    X(ulonglong, unsigned long long, A, B, C, D)                                                                       \
    X(int8, int8_t, A, B, C, D)                                                                                        \
    X(int16, int16_t, A, B, C, D)                                                                                      \
    X(int32, int32_t, A, B, C, D)                                                                                      \
    X(int64, int64_t, A, B, C, D)                                                                                      \
    X(uint8, uint8_t, A, B, C, D)                                                                                      \
    X(uint16, uint16_t, A, B, C, D)                                                                                    \
    X(uint32, uint32_t, A, B, C, D)                                                                                    \
    X(uint64, uint64_t, A, B, C, D)                                                                                    \
    X(size, size_t, A, B, C, D)                                                                                        \
    X(ptrdiff, ptrdiff_t, A, B, C, D)

#define SKERRY_EACH_COMPLEX(X, A, B, C, D)                                                                             \
    X(complexd, double _Complex, A, B, C, D)                                                                           \
    X(complexf, float _Complex, A, B, C, D)

// These macros list the types of the team reductions (table 8 of the specification): bitwise, ordered (minimum,
// maximum), and arithmetic (sum, product).
#define SKERRY_EACH_REDUCE_BITWISE(X, A, B, C, D)                                                                      \
    X(uchar, unsigned char, A, B, C, D)                                                                                \
    X(ushort, unsigned short, A, B, C, D)                                                                              \
    X(uint, unsigned int, A, B, C, D)                                                                                  \
    X(ulong, unsigned long, A, B, C, D)                                                                                \
    X(ulonglong, unsigned long long, A, B, C, D)                                                                       \
    X(int8, int8_t, A, B, C, D)                                                                                        \
    X(int16, int16_t, A, B, C, D)                                                                                      \
    X(int32, int32_t, A, B, C, D)                                                                                      \
    X(int64, int64_t, A, B, C, D)                                                                                      \
    X(uint8, uint8_t, A, B, C, D)                                                                                      \
    X(uint16, uint16_t, A, B, C, D)                                                                                    \
    X(uint32, uint32_t, A, B, C, D)                                                                                    \
    X(uint64, uint64_t, A, B, C, D)                                                                                    \
    X(size, size_t, A, B, C, D)
#define SKERRY_EACH_REDUCE_ORDER(X, A, B, C, D) SKERRY_EACH_RMA(X, A, B, C, D)
#define SKERRY_EACH_REDUCE_SUM(X, A, B, C, D)                                                                          \
    SKERRY_EACH_RMA(X, A, B, C, D)                                                                                     \
    SKERRY_EACH_COMPLEX(X, A, B, C, D)

// These macros list the types of the deprecated families, which are from earlier versions of the specification.
#define SKERRY_EACH_OLD_INTEGER(X, A, B, C, D)                                                                         \
    X(short, short, A, B, C, D)                                                                                        \
    X(int, int, A, B, C, D)                                                                                            \
    X(long, long, A, B, C, D)                                                                                          \
    X(longlong, long long, A, B, C, D)
#define SKERRY_EACH_OLD_REAL(X, A, B, C, D)                                                                            \
    X(float, float, A, B, C, D)                                                                                        \
    X(double, double, A, B, C, D)                                                                                      \
    X(longdouble, long double, A, B, C, D)
#define SKERRY_EACH_OLD_ATOMIC(X, A, B, C, D)                                                                          \
    X(int, int, A, B, C, D)                                                                                            \
    X(long, long, A, B, C, D)                                                                                          \
    X(longlong, long long, A, B, C, D)
#define SKERRY_EACH_OLD_EXTENDED_ATOMIC(X, A, B, C, D)                                                                 \
    X(float, float, A, B, C, D)                                                                                        \
    X(double, double, A, B, C, D)                                                                                      \
    SKERRY_EACH_OLD_ATOMIC(X, A, B, C, D)
#define SKERRY_EACH_OLD_REDUCE_BITWISE(X, A, B, C, D) SKERRY_EACH_OLD_INTEGER(X, A, B, C, D)
#define SKERRY_EACH_OLD_REDUCE_ORDER(X, A, B, C, D)                                                                    \
    SKERRY_EACH_OLD_INTEGER(X, A, B, C, D)                                                                             \
    SKERRY_EACH_OLD_REAL(X, A, B, C, D)
#define SKERRY_EACH_OLD_REDUCE_SUM(X, A, B, C, D)                                                                      \
    SKERRY_EACH_OLD_INTEGER(X, A, B, C, D)                                                                             \
    SKERRY_EACH_OLD_REAL(X, A, B, C, D)                                                                                \
    SKERRY_EACH_COMPLEX(X, A, B, C, D)

// These macros list the sizes that occur in names of routines: first the part of the name, then the size of an element
// in bytes. The part of the name is the size in bits, or `mem` if an element is a byte.
#define SKERRY_EACH_SIZE(X, A, B, C, D)                                                                                \
    X(8, 1, A, B, C, D)                                                                                                \
    X(16, 2, A, B, C, D)                                                                                               \
    X(32, 4, A, B, C, D)                                                                                               \
    X(64, 8, A, B, C, D)                                                                                               \
    X(128, 16, A, B, C, D)
#define SKERRY_EACH_SIZE_OR_MEM(X, A, B, C, D)                                                                         \
    SKERRY_EACH_SIZE(X, A, B, C, D)                                                                                    \
    X(mem, 1, A, B, C, D)
#define SKERRY_EACH_OLD_SIZE(X, A, B, C, D)                                                                            \
    X(32, 4, A, B, C, D)                                                                                               \
    X(64, 8, A, B, C, D)
#define SKERRY_EACH_MEM(X, A, B, C, D) X(mem, 1, A, B, C, D)

// SKERRY_FAMILY(LIST, X) calls the macro X for each type of LIST, with two arguments: TYPENAME and the C type.
#define SKERRY_FAMILY(LIST, X) SKERRY_EACH_##LIST(SKERRY_NAME_AND_TYPE, X, 0, 0, 0)
#define SKERRY_NAME_AND_TYPE(NAME, TYPE, X, B, C, D) X(NAME, TYPE)

#endif
