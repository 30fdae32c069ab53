// SPDX-License-Identifier: BSD-3-Clause
// What the measuring programs of OpenMP share. A construct's time is what it adds to the work inside it, as EPCC's
// microbenchmarks define it: the time with it less the time of the work alone, many times over. Each measurement prints
//     result NAME THREADS PARAMETER MEDIAN ns QUARTILE1 QUARTILE3 COUNT MEAN DEVIATION
// or `wrong NAME THREADS PARAMETER` when it found something else than it should.
#ifndef SKERRY_BENCH_OMP_MEASURE_H
#define SKERRY_BENCH_OMP_MEASURE_H

#include <omp.h>
#include <stdbool.h>
#include <stddef.h>

struct measurement {
    const char *name;
    long parameter;              // a size or a chunk; 0: none
    void (*test)(long count);    // so many turns
    double (*timed)(long count); // in place of test: what is measured is a part of it; returns nanoseconds
    double works;        // pieces of work in a turn, of which a thread's time consists if constructs cost nothing
    double operations;   // in one turn; 0 stands for 1
    bool (*right)(void); // looked at after each batch
};

extern int threads; // of the teams that are measured

// [--seconds S] of a measurement, [--batch S], [NAME...]: default all. Before there are threads.
void measure_begin(int argument_count, char **arguments);
bool measure_wanted(const char *name);
void measure(struct measurement measurement);
double measure_now(void);    // nanoseconds
extern double measure_clock; // nanoseconds that measure_now adds to what it measures
void do_work(void);          // a piece of work

#ifdef _OPENMP
// Compiled with each program, because it starts the first team.
static inline void measure_start(int argument_count, char **arguments) {
    measure_begin(argument_count, arguments);
#pragma omp parallel
    if (omp_get_thread_num() == 0) threads = omp_get_num_threads();
}
#endif

#endif
