// SPDX-License-Identifier: BSD-3-Clause
// A range of more than LONG_MAX iterations: chunks are taken from its front without overflow, none of them twice.
#include "test.h"
#include "gomp.h"

#define EACH 50 // chunks that a thread takes, and one more that tells it that it could go on
#define MOST 16

static void take(bool up, ull begin, ull end, ull step, ull chunk) {
    int taken[(EACH + 1) * MOST] = {0};
    int threads = omp_get_max_threads();
#pragma omp parallel
    {
        ull from, to;
        bool more = GOMP_loop_ull_dynamic_start(up, begin, end, step, chunk, &from, &to);
        for (int i = 0; i <= EACH && more; i++) {
            ull place = (from - begin) / (step * chunk);
            if (!up) place = (begin - from) / ((0 - step) * chunk);
            // Nobody comes near the end, so all chunks are whole.
            REQUIRE(to - from == step * chunk, "a chunk of %llu", to - from);
            REQUIRE(place < (ull)(threads * (EACH + 1)), "chunk %llu", place);
            REQUIRE(test_add(&taken[place], 1) == 0, "chunk %llu taken twice", place);
            if (i < EACH) more = GOMP_loop_ull_dynamic_next(&from, &to);
        }
        REQUIRE(more, "no more chunks");
        GOMP_loop_end_nowait();
    }
    for (int i = 0; i < threads * (EACH + 1); i++) REQUIRE(taken[i] == 1, "chunk %d left out", i);
}

int main(void) {
    take(true, 0, ULLONG_MAX, 1, 1000);
    take(true, 5, ULLONG_MAX, 3, 10000);
    take(false, ULLONG_MAX, 0, (ull)-1, 1000);
    return 0;
}
