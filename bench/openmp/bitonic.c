// SPDX-License-Identifier: BSD-3-Clause
// Runs the bitonic sort of Tendulkar et al. (2011): one loop for each stage of the sorting network, and a barrier
// after each loop. The parameter is the number of integers.
#include "compute.h"
#include "measure.h"

enum { least = 128, most = 4096, pairs = 16 };

static int numbers[most];
static long length;

static void fill(void) {
    unsigned state = 1;
    for (long i = 0; i < length; i++) numbers[i] = (int)((state = state * 1103515245u + 12345u) >> 8);
}

static void test_bitonic(long count) {
    const long all = length;
    for (long i = 0; i < count; i++) {
        fill();
#pragma omp parallel
        for (long run = 2; run <= all; run *= 2)
            for (long distance = run / 2; distance > 0; distance /= 2) {
#pragma omp for schedule(static)
                for (long first = 0; first < all / 2; first += pairs)
                    bitonic_exchange(numbers, first, pairs, distance, run);
            }
    }
}

static bool sorted(void) {
    for (long i = 1; i < length; i++)
        if (numbers[i - 1] > numbers[i]) return false;
    return true;
}

int main(int argument_count, char **arguments) {
    measure_start(argument_count, arguments);
    for (length = least; length <= most; length *= 2)
        measure((struct measurement){.name = "bitonic", .parameter = length, .test = test_bitonic, .right = sorted});
    return 0;
}
