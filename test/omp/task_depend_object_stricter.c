// SPDX-License-Identifier: BSD-3-Clause
// A task that reads an address by its own clause and writes it by a depend object is a writer: it runs alone, after the readers before it
// and before the readers after it.
#include "test.h"

#include <omp.h>

#define ROUNDS 200
#define READERS 6

static int readers, writers, done;

static void read_alone(void) {
    test_add(&readers, 1);
    REQUIRE(test_add(&writers, 0) == 0, "a reader runs beside the writer");
    sched_yield();
    test_add(&readers, -1);
    test_add(&done, 1);
}

static void write_alone(int before) {
    test_add(&writers, 1);
    REQUIRE(test_add(&readers, 0) == 0, "the writer runs beside %d readers", readers);
    REQUIRE(done == before, "the writer runs after %d of %d readers", done, before);
    sched_yield();
    test_add(&writers, -1);
}

int main(void) {
    TEST_UNUSED static int cell; // only depended on
    for (int round = 0; round < ROUNDS; round++) {
        done = 0;
#pragma omp parallel
#pragma omp single
        {
            omp_depend_t writes;
#pragma omp depobj(writes) depend(inout : cell)
            for (int i = 0; i < READERS; i++) {
#pragma omp task depend(in : cell)
                read_alone();
            }
#pragma omp task depend(in : cell) depend(depobj : writes)
            write_alone(READERS);
            for (int i = 0; i < READERS; i++) {
#pragma omp task depend(in : cell)
                read_alone();
            }
#pragma omp taskwait
#pragma omp depobj(writes) destroy
        }
        REQUIRE(done == 2 * READERS, "%d of %d readers ran", done, 2 * READERS);
    }
    return 0;
}
