// SPDX-License-Identifier: BSD-3-Clause
// Defines the work inside every measured construct, here and in the limit programs (../limits): a chain of additions
// that uses no memory. It lasts a tenth of a microsecond, as long as the work of EPCC's benchmarks.
#ifndef SKERRY_BENCH_OMP_WORK_H
#define SKERRY_BENCH_OMP_WORK_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <time.h>

#define WORK_NANOSECONDS 100.0

static long work_length;        // number of additions in one piece
static double work_nanoseconds; // time of one piece in ns, without other threads

// Does a piece of work. The empty assembler statement keeps the compiler from replacing the loop by its last value.
static __attribute__((noinline)) void work(void) {
    for (long i = 0; i < work_length; i++) __asm__ volatile("" : "+r"(i));
}

static inline double work_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

// Returns the time of one piece in ns, from the shortest of some batches.
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

// Sets the length and the time of a piece of work. The caller must call this function before there are other threads,
// because other threads can slow this thread down.
static inline void work_calibrate(void) {
    work_length = 1000;
    work_length = (long)(1000 * WORK_NANOSECONDS / work_time()) + 1;
    work_nanoseconds = work_time();
}

#endif
