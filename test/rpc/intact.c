// SPDX-License-Identifier: BSD-3-Clause
// A program that is interrupted by calls finds errno, its floating-point registers and its rounding as it left them, though
// the functions that were served use all of these.
// flags: -frounding-math
// The thread sanitizer runs handlers of signals by itself, later, and leaves the rounding as they do.
// skip: tsan
#include "rpc.h"

#include <errno.h>
#include <fenv.h>

#if defined(__x86_64__)
#define LONG_DOUBLE_IS_IN_REGISTERS 1
#endif

static long calls;

typedef float eight __attribute__((vector_size(32)));

static double disturb(long *at, double by) {
    volatile double sink = by;
    volatile long double long_sink = (long double)by;
    volatile eight vector = {1, 2, 3, 4, 5, 6, 7, 8};
    for (int i = 0; i < 50; i++) {
        sink = sink * 1.5 + 1;
        long_sink = long_sink / 3 + 1;
        vector = vector * 2;
    }
    fesetround(FE_TOWARDZERO);
    sink = sink / 3;
    fesetround(FE_TONEAREST);
    errno = EDOM;
    __atomic_fetch_add(localize(at), 1, __ATOMIC_RELAXED);
    return sink;
}
RPC(disturb)

// Sums that keep their state in registers; the same however often they were interrupted.
__attribute__((noinline)) static void compute(double *plain, long double *extended, eight *vector, int steps) {
    double a = 0.1, b = 0.2, c = 0.3, d = 0.4;
    long double e = 0.5L, f = 0.6L;
    eight v = {1, 2, 3, 4, 5, 6, 7, 8};
    for (int i = 0; i < steps; i++) {
        a = a * 0.999 + b, b = b * 0.998 + c, c = c * 0.997 + d, d = d * 0.996 + 0.1;
        e = e * 0.999L + f, f = f * 0.998L + 0.1L;
        v = v * 0.999F + 1;
    }
    *plain = a + b + c + d;
    *extended = e + f;
    *vector = v;
}

static bool are_equal(eight left, eight right) {
    for (int i = 0; i < 8; i++)
        if (left[i] != right[i]) return false;
    return true;
}

int main(void) {
    enum { steps = TEST_SIZE(200000, 100) }; // long double is computed in software on some chips
    double plain[2];
    long double extended[2];
    eight vector[2];
    test_begin();
    compute(&plain[0], &extended[0], &vector[0], steps);
    shmem_barrier_all();
    if (me == 0) {
        fesetround(FE_UPWARD);
        double third = 1.0, three = 3.0;
        compute(&plain[0], &extended[0], &vector[0], steps);
        errno = ERANGE;
        long rounds = 0;
        while (pes > 1 && __atomic_load_n(&calls, __ATOMIC_RELAXED) < 40L * (pes - 1)) {
            compute(&plain[1], &extended[1], &vector[1], steps);
            REQUIRE(plain[0] == plain[1], "doubles differ in round %ld: %a %a", rounds, plain[0], plain[1]);
            REQUIRE(extended[0] == extended[1], "long doubles differ in round %ld", rounds);
            REQUIRE(are_equal(vector[0], vector[1]), "vectors differ in round %ld", rounds);
            REQUIRE(errno == ERANGE, "errno is %d", errno);
            REQUIRE(fegetround() == FE_UPWARD && third / three * three >= 1.0, "rounding has changed");
            rounds++;
        }
        fesetround(FE_TONEAREST);
    } else {
        for (int i = 0; i < 40; i++) disturb_rpc(address_at(&calls, 0), i);
    }
    shmem_barrier_all();
    return test_end();
}
