// SPDX-License-Identifier: BSD-3-Clause
// Measures programs with many parallel regions whose threads often wait for one another. The figure is the whole time,
// including the work. These programs are meant for a machine on which other programs run too (skerry bench omp --load,
// --copies). On such a machine a waiting thread can occupy the processor that another thread needs to end this wait.
#include "measure.h"

enum { short_works = 10, long_works = 100, serial_works = 50, steps = 8 };

static double sums[steps];

static void do_works(long count) {
    for (long i = 0; i < count; i++) do_work();
}

// Runs one region directly after the other.
static void test_short(long count) {
    for (long turn = 0; turn < count; turn++) {
#pragma omp parallel
        do_works(short_works);
    }
}

// Runs regions with serial work between them. Only the first thread does the serial work, which is half of a thread's
// work in a region.
static void test_serial(long count) {
    for (long turn = 0; turn < count; turn++) {
#pragma omp parallel
        do_works(long_works);
        do_works(serial_works);
    }
}

// Runs regions in which each thread has a different amount of work. The amounts change from region to region.
static void test_uneven(long count) {
    for (long turn = 0; turn < count; turn++) {
        double sum = 0;
#pragma omp parallel reduction(+ : sum)
        {
            do_works(short_works + long_works * ((turn + omp_get_thread_num()) % threads) / threads);
            sum += 1;
        }
        sums[turn % steps] = sum;
    }
}

// Runs one region with many turns. Each turn is like a step of a computation: two loops, each followed by a barrier,
// and a single construct.
static void test_steps(long count) {
#pragma omp parallel
    for (long turn = 0; turn < count; turn++) {
#pragma omp for schedule(static)
        for (long k = 0; k < threads; k++) do_works(long_works / 2);
#pragma omp for schedule(dynamic, 1)
        for (long k = 0; k < 4L * threads; k++) do_works(short_works);
#pragma omp single
        do_works(short_works);
    }
}

int main(int argument_count, char **arguments) {
    measure_start(argument_count, arguments);
    measure((struct measurement){.name = "regions_short", .test = test_short});
    measure((struct measurement){.name = "regions_serial", .test = test_serial});
    measure((struct measurement){.name = "regions_uneven", .test = test_uneven});
    measure((struct measurement){.name = "regions_steps", .test = test_steps});
    return 0;
}
