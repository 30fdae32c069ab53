// SPDX-License-Identifier: BSD-3-Clause
// target constructs without a device: they run here, with the data that their clauses say.
// threads: 1 4
#include "test.h"

#pragma omp declare target
static int declared = 5;
static int twice(int x) {
    return 2 * x;
}
#pragma omp end declare target

static void data(void) {
    int number = 3, own = 7, array[100], sum = 0;
    for (int i = 0; i < 100; i++) array[i] = i;
    int *pointer = array;
#pragma omp target map(tofrom : number) firstprivate(own) map(tofrom : array)
    {
        number = twice(number) + own;
        own = 100;
        for (int i = 0; i < 100; i++) array[i]++;
    }
    REQUIRE(number == 13 && own == 7 && array[99] == 100, "number %d, own %d, array %d", number, own, array[99]);
#pragma omp target data map(tofrom : pointer [0:100])
    {
#pragma omp target map(tofrom : pointer [0:100])
        for (int i = 0; i < 100; i++) pointer[i]++;
#pragma omp target update from(pointer [0:100])
        REQUIRE(array[0] == 2, "update from: %d", array[0]);
        array[1] = 50;
#pragma omp target update to(pointer [0:100])
#pragma omp target map(tofrom : sum)
        sum = pointer[1];
    }
    REQUIRE(sum == 50, "update to: %d", sum);
#pragma omp target enter data map(to : array)
#pragma omp target map(alloc : array)
    array[2] = 77;
#pragma omp target exit data map(from : array)
    REQUIRE(array[2] == 77, "exit data: %d", array[2]);
#pragma omp target data map(tofrom : array) use_device_ptr(pointer)
#pragma omp target is_device_ptr(pointer)
    pointer[3] = 88;
    REQUIRE(array[3] == 88, "is_device_ptr: %d", array[3]);
#pragma omp target
    declared++;
#pragma omp target if (0) device(0)
    declared++;
    REQUIRE(declared == 7, "declare target: %d", declared);
}

#pragma omp declare target
static void count_team(int *teams) {
#pragma omp atomic
    *teams += omp_is_initial_device() ? 1 : 1000;
}
#pragma omp end declare target

static void work(void) {
    int sum = 0, teams = 0;
#pragma omp target map(tofrom : sum)
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 100; i++) sum += i;
    REQUIRE(sum == 4950, "target, parallel for: %d", sum);
#pragma omp target teams distribute parallel for map(tofrom : sum) reduction(+ : sum) num_teams(2)
    for (int i = 0; i < 100; i++) sum += i;
    REQUIRE(sum == 9900, "target teams distribute parallel for: %d", sum);
#pragma omp target teams num_teams(3) thread_limit(2) map(tofrom : teams)
    count_team(&teams);
    REQUIRE(teams >= 1 && teams <= 3, "%d teams", teams);
#pragma omp target parallel num_threads(2) map(tofrom : teams)
#pragma omp atomic
    teams += 10;
    REQUIRE(teams >= 11 && teams <= 23, "target parallel: %d", teams);
}

static void deferred(void) {
    static int order, values[3];
    order = 0;
    for (int round = 0; round < 20; round++) {
        int base = order;
#pragma omp parallel
#pragma omp single
        {
#pragma omp target nowait map(tofrom : order, values) depend(out : values)
            values[0] = order++;
#pragma omp target enter data nowait map(to : values) depend(inout : values)
#pragma omp target update nowait to(values) depend(inout : values)
#pragma omp task depend(inout : values)
            values[1] = order++;
#pragma omp target exit data nowait map(from : values) depend(inout : values)
#pragma omp target map(tofrom : order, values) depend(in : values)
            values[2] = order++;
        }
        for (int i = 0; i < 3; i++)
            REQUIRE(values[i] == base + i, "round %d: %d was number %d", round, i, values[i] - base);
    }
}

int main(void) {
    data();
    work();
    deferred();
#pragma omp parallel
    {
        int own = omp_get_thread_num();
#pragma omp target map(tofrom : own)
        own += 1000;
        REQUIRE(own == 1000 + omp_get_thread_num(), "every thread its own: %d", own);
    }
    return 0;
}
