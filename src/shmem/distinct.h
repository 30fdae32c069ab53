// SPDX-License-Identifier: BSD-3-Clause
// Lists the type families of types.h with each C type only once. A set of overloads or a _Generic must not name a type
// twice. The families of types.h do, because most types of exact width (int32_t) are typedefs of standard types. Each
// list calls the macro X with three things:
// - TYPENAME: the part of a routine's name that stands for the type. If the routines exist only under a name of exact
//   width, TYPENAME is that name (int32).
// - the C type,
// - the further arguments that the list was given.
#ifndef SKERRY_SHMEM_DISTINCT_H
#define SKERRY_SHMEM_DISTINCT_H

#define SKERRY_DISTINCT_UNSIGNED(X, ...)                                                                               \
    X(uint, unsigned int, __VA_ARGS__)                                                                                 \
    X(ulong, unsigned long, __VA_ARGS__)                                                                               \
    X(ulonglong, unsigned long long, __VA_ARGS__)

#define SKERRY_DISTINCT_OLD_ATOMIC(X, ...)                                                                             \
    X(int, int, __VA_ARGS__)                                                                                           \
    X(long, long, __VA_ARGS__)                                                                                         \
    X(longlong, long long, __VA_ARGS__)

#define SKERRY_DISTINCT_OLD_EXTENDED_ATOMIC(X, ...)                                                                    \
    X(float, float, __VA_ARGS__)                                                                                       \
    X(double, double, __VA_ARGS__)                                                                                     \
    SKERRY_DISTINCT_OLD_ATOMIC(X, __VA_ARGS__)

#define SKERRY_DISTINCT_STANDARD_ATOMIC(X, ...)                                                                        \
    SKERRY_DISTINCT_OLD_ATOMIC(X, __VA_ARGS__)                                                                         \
    SKERRY_DISTINCT_UNSIGNED(X, __VA_ARGS__)

#define SKERRY_DISTINCT_EXTENDED_ATOMIC(X, ...)                                                                        \
    SKERRY_DISTINCT_OLD_EXTENDED_ATOMIC(X, __VA_ARGS__)                                                                \
    SKERRY_DISTINCT_UNSIGNED(X, __VA_ARGS__)

#define SKERRY_DISTINCT_BITWISE_ATOMIC(X, ...)                                                                         \
    SKERRY_DISTINCT_UNSIGNED(X, __VA_ARGS__)                                                                           \
    X(int32, int32_t, __VA_ARGS__)                                                                                     \
    X(int64, int64_t, __VA_ARGS__)

// Lists the types of the overloads of shmem_wait_until. C++ needs no overload for long: the C function shmem_wait_until
// takes a long.
#define SKERRY_DISTINCT_WAIT_UNTIL(X, ...)                                                                             \
    X(short, short, __VA_ARGS__)                                                                                       \
    X(int, int, __VA_ARGS__)                                                                                           \
    X(longlong, long long, __VA_ARGS__)                                                                                \
    X(ushort, unsigned short, __VA_ARGS__)                                                                             \
    SKERRY_DISTINCT_UNSIGNED(X, __VA_ARGS__)

#define SKERRY_DISTINCT_WAIT(X, ...)                                                                                   \
    X(long, long, __VA_ARGS__)                                                                                         \
    SKERRY_DISTINCT_WAIT_UNTIL(X, __VA_ARGS__)

#define SKERRY_DISTINCT_REDUCE_BITWISE(X, ...)                                                                         \
    X(uchar, unsigned char, __VA_ARGS__)                                                                               \
    X(ushort, unsigned short, __VA_ARGS__)                                                                             \
    SKERRY_DISTINCT_UNSIGNED(X, __VA_ARGS__)                                                                           \
    X(int8, int8_t, __VA_ARGS__)                                                                                       \
    X(int16, int16_t, __VA_ARGS__)                                                                                     \
    X(int32, int32_t, __VA_ARGS__)                                                                                     \
    X(int64, int64_t, __VA_ARGS__)

#define SKERRY_DISTINCT_RMA(X, ...)                                                                                    \
    X(long, long, __VA_ARGS__)                                                                                         \
    X(int, int, __VA_ARGS__)                                                                                           \
    X(double, double, __VA_ARGS__)                                                                                     \
    X(float, float, __VA_ARGS__)                                                                                       \
    X(char, char, __VA_ARGS__)                                                                                         \
    X(schar, signed char, __VA_ARGS__)                                                                                 \
    X(short, short, __VA_ARGS__)                                                                                       \
    X(longlong, long long, __VA_ARGS__)                                                                                \
    X(uchar, unsigned char, __VA_ARGS__)                                                                               \
    X(ushort, unsigned short, __VA_ARGS__)                                                                             \
    SKERRY_DISTINCT_UNSIGNED(X, __VA_ARGS__)                                                                           \
    X(longdouble, long double, __VA_ARGS__)

#define SKERRY_DISTINCT_REDUCE_ORDER(X, ...) SKERRY_DISTINCT_RMA(X, __VA_ARGS__)

#define SKERRY_DISTINCT_REDUCE_SUM(X, ...)                                                                             \
    SKERRY_DISTINCT_RMA(X, __VA_ARGS__)                                                                                \
    X(complexd, double _Complex, __VA_ARGS__)                                                                          \
    X(complexf, float _Complex, __VA_ARGS__)

// The following lists are empty, because the deprecated reductions and waits have no type-generic names.
#define SKERRY_DISTINCT_OLD_INTEGER(X, ...)
#define SKERRY_DISTINCT_OLD_REDUCE_BITWISE(X, ...)
#define SKERRY_DISTINCT_OLD_REDUCE_ORDER(X, ...)
#define SKERRY_DISTINCT_OLD_REDUCE_SUM(X, ...)

#endif
