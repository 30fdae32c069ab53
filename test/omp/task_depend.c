// SPDX-License-Identifier: BSD-3-Clause
// depend(in, out, inout): writers after readers after writers, checked on random graphs against the serial order.
#include "test.h"

#define CELLS 12
#define COUNT 600

static int version[CELLS], readers[CELLS], dummy[CELLS];

// What a task must see of a cell: as many writers before it as the serial order has.
static void read_cell(int cell, int expected) {
    test_add(&readers[cell], 1);
    REQUIRE(test_get(&version[cell]) == expected, "cell %d: version %d, not %d", cell, version[cell], expected);
    test_add(&readers[cell], -1);
}

static void write_cell(int cell, int expected) {
    REQUIRE(test_get(&readers[cell]) == 0, "cell %d: written with %d readers", cell, readers[cell]);
    REQUIRE(test_add(&version[cell], 1) == expected, "cell %d: written out of order", cell);
}

int main(void) {
    int ran = 0;
    for (int round = 0; round < 5; round++) {
        memset(version, 0, sizeof version);
#pragma omp parallel
#pragma omp single
        {
            uint64_t state = (uint64_t)round;
            int written[CELLS] = {0};
            for (int i = 0; i < COUNT; i++) {
                int a = (int)(test_random(&state) % CELLS), b = (int)(test_random(&state) % CELLS);
                if (b == a) b = (a + 1) % CELLS;
                int va = written[a], vb = written[b];
                switch (test_random(&state) % 4) {
                case 0:
#pragma omp task depend(in : dummy[a], dummy[b]) shared(ran)
                {
                    read_cell(a, va);
                    read_cell(b, vb);
                    test_add(&ran, 1);
                } break;
                case 1: written[b]++;
#pragma omp task depend(in : dummy[a]) depend(out : dummy[b]) shared(ran)
                    {
                        read_cell(a, va);
                        write_cell(b, vb);
                        test_add(&ran, 1);
                    }
                    break;
                case 2: written[a]++; written[b]++;
#pragma omp task depend(inout : dummy[a], dummy[b]) shared(ran)
                    {
                        write_cell(a, va);
                        write_cell(b, vb);
                        test_add(&ran, 1);
                    }
                    break;
                default: written[a]++;
#pragma omp task depend(out : dummy[a]) if (0) shared(ran)
                    {
                        write_cell(a, va);
                        test_add(&ran, 1);
                    }
                }
            }
        }
    }
    REQUIRE(ran == 5 * COUNT, "%d ran", ran);
    return 0;
}
