// SPDX-License-Identifier: BSD-3-Clause
// private, firstprivate and shared data of a region, also large and aligned.
#include "test.h"

struct large {
    _Alignas(64) long values[1000];
};

int main(void) {
    int wanted = omp_get_max_threads();
    int first = 42, own = -1, shared = 0;
    struct large large;
    for (int i = 0; i < 1000; i++) large.values[i] = i * 3L;
#pragma omp parallel firstprivate(first, large) private(own) shared(shared)
    {
        int me = omp_get_thread_num();
        REQUIRE(first == 42, "firstprivate begins as %d", first);
        REQUIRE((uintptr_t)&large % 64 == 0, "the copy is not aligned");
        for (int i = 0; i < 1000; i++) REQUIRE(large.values[i] == i * 3L, "element %d is %ld", i, large.values[i]);
        first += me;
        own = me;
        for (int i = 0; i < 1000; i++) large.values[i] = me;
#pragma omp barrier
        REQUIRE(first == 42 + me && own == me && large.values[999] == me, "someone else's write came in");
#pragma omp atomic
        shared += me;
    }
    REQUIRE(first == 42 && own == -1 && large.values[5] == 15, "a private write came out");
    REQUIRE(shared == wanted * (wanted - 1) / 2, "the shared sum is %d", shared);
    return 0;
}
