// SPDX-License-Identifier: BSD-3-Clause
// Tasks of a cancelled group whose objects were copied for them destroy these, whether or not they have begun.
// threads: 1 2 3 8
// env: OMP_CANCELLATION=true
#include "test.h"

static int objects;

struct object {
    object() {
        test_add(&objects, 1);
    }
    object(const object &) {
        test_add(&objects, 1);
    }
    ~object() {
        test_add(&objects, -1);
    }
};

static void tasks() {
    object first;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
    for (int i = 0; i < 200; i++) {
#pragma omp task firstprivate(first)
        {
            (void)first;
#pragma omp cancel taskgroup if (i > 5)
        }
    }
}

static void loop() {
    object first;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(1) firstprivate(first)
    for (int i = 0; i < 200; i++) {
        (void)first;
#pragma omp cancel taskgroup if (i > 5)
    }
}

int main() {
    tasks();
    REQUIRE(objects == 0, "task: %d objects left", objects);
    loop();
    REQUIRE(objects == 0, "taskloop: %d objects left", objects);
    return 0;
}
