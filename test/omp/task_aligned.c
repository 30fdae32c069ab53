// SPDX-License-Identifier: BSD-3-Clause
// Tasks with much firstprivate data and data aligned more than usual.
#include "test.h"

struct big {
    char bytes[100000];
};
struct aligned {
    _Alignas(256) long values[40];
};
struct aligned_byte {
    _Alignas(4096) char byte;
};

int main(void) {
    static int ran;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 60; i++) {
        struct big big;
        struct aligned aligned;
        struct aligned_byte page = {(char)i};
        memset(&big, i, sizeof big);
        for (int k = 0; k < 40; k++) aligned.values[k] = i * 40 + k;
#pragma omp task firstprivate(big) if (i % 5)
        {
            for (size_t k = 0; k < sizeof big.bytes; k++) REQUIRE(big.bytes[k] == (char)i, "task %d: byte %zu", i, k);
            test_add(&ran, 1);
        }
#pragma omp task firstprivate(aligned, page) if (i % 7)
        {
            REQUIRE((uintptr_t)&aligned % 256 == 0 && (uintptr_t)&page % 4096 == 0, "task %d: data at %p and %p", i,
                    (void *)&aligned, (void *)&page);
            for (int k = 0; k < 40; k++) REQUIRE(aligned.values[k] == i * 40 + k, "task %d: element %d", i, k);
            REQUIRE(page.byte == (char)i, "task %d: the page's byte", i);
            test_add(&ran, 1);
        }
    }
    REQUIRE(ran == 120, "%d ran", ran);
    return 0;
}
