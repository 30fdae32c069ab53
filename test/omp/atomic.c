// SPDX-License-Identifier: BSD-3-Clause
// atomic on types that the compiler has instructions for and on those for which it calls the library; all memory orders.
#include "test.h"

int main(void) {
    int threads = omp_get_max_threads(), rounds = test_rounds(5000);
    static int number;
    static double real;
    static long double wide;
    static __int128 big;
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
        big += (__int128)1 << 70;
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
    REQUIRE(big >> 70 == right && swapped == (long double)right + 1, "128 bits");
    REQUIRE(byte == (unsigned char)right, "a byte");
#pragma omp atomic write release
    wide = -1;
    REQUIRE(wide == -1, "atomic write");
    return 0;
}
