// SPDX-License-Identifier: BSD-3-Clause
// What a stand-in for a routine was called with. A test of the type-generic names defines every routine itself, so that
// a call tells which routine it resolved to, and with which arguments: argument k is mark(k), or the number NUMBER(k).
#ifndef TEST_SPEC_RECORD_H
#define TEST_SPEC_RECORD_H

#include <stddef.h>
#include <stdint.h>

#define NUMBER(k) (40 + (k))
#define RESULT 77

// X(type) for every type that C tells from the others.
#define DISTINCT_TYPES(X)                                                                                              \
    X(char)                                                                                                            \
    X(signed char)                                                                                                     \
    X(unsigned char)                                                                                                   \
    X(short)                                                                                                           \
    X(unsigned short)                                                                                                  \
    X(int)                                                                                                             \
    X(unsigned int)                                                                                                    \
    X(long)                                                                                                            \
    X(unsigned long)                                                                                                   \
    X(long long)                                                                                                       \
    X(unsigned long long)                                                                                              \
    X(float)                                                                                                           \
    X(double)                                                                                                          \
    X(long double)                                                                                                     \
    X(float _Complex)                                                                                                  \
    X(double _Complex)

// The name of the distinct type that TYPE is, so that int32_t and int are the same.
#ifdef __cplusplus
#define CANONICAL_TYPE(TYPE) canonical_type(static_cast<TYPE *>(nullptr))
#define TEST_CASE(TYPE)                                                                                                \
    inline const char *canonical_type(TYPE *) {                                                                        \
        return #TYPE;                                                                                                  \
    }
DISTINCT_TYPES(TEST_CASE)
#undef TEST_CASE
extern "C" {
#else
#define CANONICAL_CASE(TYPE) TYPE * : #TYPE,
#define CANONICAL_TYPE(TYPE) _Generic((TYPE *)0, DISTINCT_TYPES(CANONICAL_CASE) void * : "no type")
#endif

void *mark(int argument);

// For the stand-ins: a call begins, and these are its arguments in order.
void called(const char *routine, const char *type);
void got_pointer(const void *pointer);
void got_number(long number);

// For the tests: since the last expect, there was one call, of this routine for this type, with these many arguments of
// the marks and numbers of their places.
void expect(const char *routine, const char *type, int arguments, const char *file, int line);
void expect_number(long expected, long number, const char *file, int line);
#define EXPECT(routine, type, arguments) expect(routine, CANONICAL_TYPE(type), arguments, __FILE__, __LINE__)
#define EXPECT_NUMBER(expected, number) expect_number(expected, number, __FILE__, __LINE__)

// The exit status of the test, after a line with the number of calls that were checked.
int outcome(const char *test);

#ifdef __cplusplus
}
#endif

#endif
