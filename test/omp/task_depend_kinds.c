// SPDX-License-Identifier: BSD-3-Clause
// mutexinoutset, inoutset by depobj, iterators, depobj and its update, and taskwait with depend.
#include "test.h"

#define COUNT 100

static int values[COUNT], ran;

static void mutually_exclusive(void) {
    TEST_UNUSED static int cell; // only depended on
    static int inside, before, after;
    ran = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : cell)
        before = 1;
        for (int i = 0; i < COUNT; i++) {
#pragma omp task depend(mutexinoutset : cell)
            {
                REQUIRE(before == 1 && after == 0, "out of order");
                REQUIRE(test_add(&inside, 1) == 0, "two of a mutexinoutset at once");
                ran++;
                if (i % 9 == 0) sched_yield();
                test_add(&inside, -1);
            }
        }
#pragma omp task depend(in : cell)
        {
            REQUIRE(ran == COUNT, "after %d of %d", ran, COUNT);
            after = 1;
        }
    }
    REQUIRE(after == 1, "the last did not run");
    before = after = 0;
}

static void iterators(void) {
    memset(values, 0, sizeof values);
#pragma omp parallel
#pragma omp single
    {
        int sum = 0;
        for (int i = 0; i < COUNT; i++) {
#pragma omp task depend(out : values[i])
            values[i] = i;
        }
#pragma omp task depend(iterator(int k = 0 : COUNT), in : values[k]) shared(sum)
        for (int i = 0; i < COUNT; i++) sum += values[i];
#pragma omp task depend(iterator(int k = 0 : COUNT : 2), inout : values[k])
        for (int i = 0; i < COUNT; i += 2) values[i] = -1;
#pragma omp task depend(in : values[4], values[5])
        REQUIRE(values[4] == -1 && values[5] == 5, "%d and %d", values[4], values[5]);
#pragma omp taskwait
        REQUIRE(sum == COUNT * (COUNT - 1) / 2, "sum %d", sum);
    }
}

static void objects(void) {
    static int cell, other;
    omp_depend_t object;
    cell = other = 0;
#pragma omp depobj(object) depend(inout : cell)
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < COUNT; i++) {
#pragma omp task depend(depobj : object) depend(in : other)
            {
                REQUIRE(cell == i, "by depobj: %d where %d should be", i, cell);
                cell++;
            }
        }
#pragma omp taskwait
#pragma omp depobj(object) update(in)
#pragma omp task depend(out : cell)
        cell = 1000;
#pragma omp task depend(depobj : object)
        REQUIRE(cell == 1000, "a reader by depobj before the writer");
#pragma omp task depend(inout : cell)
        cell++;
    }
    REQUIRE(cell == 1001, "%d", cell);
#pragma omp depobj(object) destroy
}

static void wait_for_some(void) {
    static int gate, one, two;
    gate = one = two = 0;
#pragma omp parallel
#pragma omp single
    {
        bool others = omp_get_num_threads() > 2;
        if (others) {
            int maker = omp_get_thread_num();
#pragma omp task depend(out : two)
            {
                if (omp_get_thread_num() != maker) test_wait(&gate, 1);
                two = 1;
            }
        }
#pragma omp task depend(out : one)
        one = 1;
#pragma omp taskwait depend(in : one)
        REQUIRE(one == 1, "past taskwait depend");
        test_set(&gate, 1);
        if (others) {
#pragma omp taskwait depend(inout : two)
            REQUIRE(two == 1, "past the second taskwait depend");
        }
        // if(0) with a dependence waits for it as well.
#pragma omp task depend(out : one)
        one = 2;
#pragma omp task depend(in : one) if (0)
        REQUIRE(one == 2, "if(0) did not wait");
#pragma omp taskwait depend(out : values[0]) // nobody has it
    }
}

int main(void) {
    for (int round = 0; round < 10; round++) {
        mutually_exclusive();
        iterators();
        objects();
        wait_for_some();
    }
    return 0;
}
