// SPDX-License-Identifier: BSD-3-Clause
// Arguments of every type that travels in registers arrive as they were given, alone and mixed, and so do results.
#include "rpc.h"

#include <complex.h>
#include <math.h>

enum colour { red = 1, green };
static long target; // names the PE

static void *six(void *at, long b, int c, unsigned char d, short e, uint64_t f) {
    return b == -2 && c == -3 && d == 4 && e == -5 && f == UINT64_MAX - 6 ? at : NULL;
}
RPC(six)

static long small(void *at, bool yes, char letter, signed char s, unsigned short u, enum colour colour) {
    (void)at;
    return yes && letter == 'x' && s == -7 && u == 65000 && colour == green ? 11 : -11;
}
RPC(small)

static double eight(void *at, double a, double b, double c, double d, double e, double f, double g, double h) {
    (void)at;
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h;
}
RPC(eight)

static float floats(void *at, float a, float b, float c, float d, float e, float f, float g, float h) {
    (void)at;
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h;
}
RPC(floats)

static double mixed(void *at, float a, int b, double c, long d, float e, short f, double g, char h) {
    (void)at;
    return (double)a + b + c + (double)d + (double)e + f + g + h;
}
RPC(mixed)

static float complex complex_floats(void *at, float complex a, float complex b) {
    (void)at;
    return a * b;
}
RPC(complex_floats)

static double complex complex_doubles(void *at, double complex a, int scale, double complex b) {
    (void)at;
    return a * b * scale;
}
RPC(complex_doubles)

static long double long_result(void *at, double a) {
    (void)at;
    return 1.0L / 3 + (long double)a;
}
RPC(long_result)

static long double complex long_complex_result(void *at, double a, double b) {
    (void)at;
    return (long double)a + 1.0L / 3 + ((long double)b + 1.0L / 7) * I;
}
RPC(long_complex_result)

static __int128 wide(void *at, __int128 a, unsigned __int128 b) {
    (void)at;
    return a + (__int128)b;
}
RPC(wide)

static bool negate(void *at, bool a) {
    (void)at;
    return !a;
}
RPC(negate)

static unsigned char byte(void *at, int value) {
    (void)at;
    return (unsigned char)value;
}
RPC(byte)

static short half(void *at, int value) {
    (void)at;
    return (short)value;
}
RPC(half)

static const char *pointer(const char *at, size_t by) {
    return at + by;
}
RPC(pointer)

static void nothing(long *at) {
    *localize(at) += 1;
}
RPC(nothing)

static int runs_on(const void *at) {
    (void)at;
    return shmem_my_pe();
}
RPC(runs_on)

static void call_each(int pe) {
    long *at = address_at(&target, pe);
    char *bytes = (char *)at;
    REQUIRE(runs_on_rpc(at) == pe, "ran on PE %d", runs_on_rpc(at));
    REQUIRE(six_rpc(at, -2, -3, 4, -5, UINT64_MAX - 6) == at, "six integers");
    REQUIRE(small_rpc(at, true, 'x', -7, 65000, 2) == 11, "small integers");
    REQUIRE(eight_rpc(at, 1, 2, 3, 4, 5, 6, 7, 8.5) == 208, "eight doubles");
    REQUIRE(eight_rpc(at, 0, 0, 0, 0, 0, 0, 0, 0) == 0, "eight zeros");
    REQUIRE(floats_rpc(at, 1, 2, 3, 4, 5, 6, 7, 8.5F) == 208, "eight floats");
    REQUIRE(mixed_rpc(at, 1.5F, 2, 3.25, 4, 5.5F, 6, 7.75, 8) == 38, "integers between floating point");
    REQUIRE(complex_floats_rpc(at, 1 + 2 * I, 3 - I) == 5 + 5 * I, "complex floats");
    REQUIRE(complex_doubles_rpc(at, 1 + 2 * I, 2, 3 - I) == 10 + 10 * I, "complex doubles");
    REQUIRE(long_result_rpc(at, 2.5) == 1.0L / 3 + 2.5L, "long double result");
    REQUIRE(long_complex_result_rpc(at, 2, 3) == long_complex_result(at, 2, 3), "complex long double result");
    REQUIRE(wide_rpc(at, (__int128)1 << 100, 7) == ((__int128)1 << 100) + 7, "128-bit integers");
    REQUIRE(negate_rpc(at, false) && !negate_rpc(at, true), "bool");
    REQUIRE(byte_rpc(at, 0x1234) == 0x34 && half_rpc(at, -5) == -5, "narrow results");
    REQUIRE(pointer_rpc(bytes, 5) == bytes + 5, "pointers");
    long double third = 0;
    shmemx_rpc_event_t event = shmemx_rpc_async(long_result, at, 2.5);
    shmemx_rpc_wait(&event, &third);
    REQUIRE(third == 1.0L / 3 + 2.5L, "long double result of an event");
    long double complex both = 0;
    event = shmemx_rpc_async(long_complex_result, at, 2, 3);
    shmemx_rpc_wait(&event, &both);
    REQUIRE(both == long_complex_result(at, 2, 3), "complex long double result of an event");
    REQUIRE(long_result_rpc(at, 2.5) == 1.0L / 3 + 2.5L, "long double result after events");
    nothing_rpc(at);
}

int main(void) {
    test_begin();
    for (int i = 0; i < pes; i++) call_each((me + i) % pes);
    shmem_barrier_all();
    REQUIRE(target == pes, "%ld calls have reached this PE, not %d", target, pes);
    return test_end();
}
