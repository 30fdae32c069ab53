// SPDX-License-Identifier: BSD-3-Clause
// atomic on types that the compiler has instructions for and on those for which it calls the library; all memory orders.
#include "test.h"

// Not every compiler has integers of 128 bits.
#ifdef __SIZEOF_INT128__
typedef __int128 big_integer;
#define BIG_SHIFT 70
#else
typedef long long big_integer;
#define BIG_SHIFT 40
#endif

int main(void) {
    int threads = omp_get_max_threads(), rounds = test_rounds(5000);
    static int number;
    static double real;
    static long double wide;
    static big_integer big;
    static unsigned char byte;
    static long double swapped = 1;
    int captured_sum = 0;
#pragma omp parallel reduction(+ : captured_sum)
    for (int i = 0; i < rounds; i++) {
        int mine;
#pragma omp atomic capture
        mine = number++;
        captured_sum += mine & 1;
#pragma omp atomic relaxed
        real += 0.5;
#pragma omp atomic seq_cst
        wide += 0.25L;
#pragma omp atomic
        big += (big_integer)1 << BIG_SHIFT;
#pragma omp atomic acq_rel
        byte++;
        long double old;
#pragma omp atomic capture
        {
            old = swapped;
            swapped = swapped + 1;
        }
        REQUIRE(old >= 1, "captured too little");
        long double read;
#pragma omp atomic read acquire
        read = wide;
        REQUIRE(read * 4 == (long double)(long)(read * 4), "a torn read");
    }
    long right = (long)threads * rounds;
    REQUIRE(number == right && captured_sum == (int)(right / 2), "int: %d, odd ones %d, of %ld", number, captured_sum,
            right);
    REQUIRE(real * 2 == (double)right && wide * 4 == (long double)right, "double or long double");
    REQUIRE(big >> BIG_SHIFT == right && swapped == (long double)right + 1, "128 bits");
    REQUIRE(byte == (unsigned char)right, "a byte");
#pragma omp atomic write release
    wide = -1;
    REQUIRE(wide == -1, "atomic write");
    return 0;
}
