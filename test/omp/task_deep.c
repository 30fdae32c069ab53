// SPDX-License-Identifier: BSD-3-Clause
// A chain of 20000 tasks, each made by the one before it and waited for by nobody but the region.
// threads: 1 2 4 16
// sarc: each task runs inside the one before it, 20000 deep.
// skip: sarc
#include "test.h"

#define DEPTH 20000

static int ran;

static void chain(int depth) {
    test_add(&ran, 1);
    if (depth == 0) return;
#pragma omp task
    chain(depth - 1);
}

static void waited(int depth) {
    if (depth == 0) return;
#pragma omp task
    waited(depth - 1);
#pragma omp taskwait
    test_add(&ran, 1);
}

int main(void) {
#pragma omp parallel
#pragma omp single
    chain(DEPTH);
    REQUIRE(ran == DEPTH + 1, "%d ran", ran);
    ran = 0;
#pragma omp parallel
#pragma omp single
    waited(500);
    REQUIRE(ran == 500, "%d waited", ran);
    return 0;
}
