// SPDX-License-Identifier: BSD-3-Clause
// Thread 0 of a region is the thread that met it.
#include "test.h"

static __thread char own; // has another address in each thread

int main(void) {
    const char *master = &own;
    int equal = 0;
#pragma omp parallel reduction(+ : equal)
    {
        bool same = master == &own;
        REQUIRE(same == (omp_get_thread_num() == 0), "thread %d is the one that began: %d", omp_get_thread_num(), same);
        equal += same;
    }
    REQUIRE(equal == 1, "%d threads are the one that began", equal);
    return 0;
}
