// SPDX-License-Identifier: BSD-3-Clause
// The work inside every construct that is measured, here and in the limits beside it: a chain of additions that lasts a
// tenth of a microsecond, as long as EPCC's. It touches no memory.
#ifndef SKERRY_BENCH_OMP_WORK_H
#define SKERRY_BENCH_OMP_WORK_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <time.h>

#define WORK_NANOSECONDS 100.0

static long work_length;        // turns of one piece
static double work_nanoseconds; // that one piece takes on a thread alone

// The assignment in the loop keeps the compiler from counting at once.
static __attribute__((noinline)) void work(void) {
    for (long i = 0; i < work_length; i++) __asm__ volatile("" : "+r"(i));
}

static inline double work_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

// The shortest of some batches, of one piece each.
static inline double work_time(void) {
    enum { batches = 30, pieces = 1000 };
    double shortest = 0;
    for (int batch = 0; batch < batches; batch++) {
        double began = work_now();
        for (int i = 0; i < pieces; i++) work();
        double took = (work_now() - began) / pieces;
        if (batch == 0 || took < shortest) shortest = took;
    }
    return shortest;
}

// Before there are other threads, which might slow this one down.
static inline void work_calibrate(void) {
    work_length = 1000;
    work_length = (long)(1000 * WORK_NANOSECONDS / work_time()) + 1;
    work_nanoseconds = work_time();
}

#endif
