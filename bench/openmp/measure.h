// SPDX-License-Identifier: BSD-3-Clause
// Declares the functions that the measuring programs of OpenMP share. A construct's time is the time of a turn with the
// construct, less the time of the work inside the construct. EPCC's microbenchmarks define it in the same way. Each
// measurement prints
//     result NAME THREADS PARAMETER MEDIAN ns QUARTILE1 QUARTILE3 COUNT MEAN DEVIATION
// or `wrong NAME THREADS PARAMETER` if a check failed.
#ifndef SKERRY_BENCH_OMP_MEASURE_H
#define SKERRY_BENCH_OMP_MEASURE_H

#include <omp.h>
#include <stdbool.h>
#include <stddef.h>

struct measurement {
    const char *name;
    long parameter;              // size or chunk; 0: none
    void (*test)(long count);    // runs `count` turns
    double (*timed)(long count); // in place of `test`, if only a part of a turn is measured; returns the part's ns
    double works;                // length of a turn, in pieces of work, if constructs cost nothing
    double operations;           // number of operations in one turn; 0 means 1
    bool (*right)(void);         // check after each batch, or NULL
};

extern int threads; // number of threads in the measured teams

// Reads the options [--seconds S] (time of a measurement) and [--batch S] (smallest time of a batch), and [NAME...]
// (default: all names). Then measures how long a piece of work and a read of the clock take. The caller must call this
// function before there are other threads.
void measure_begin(int argument_count, char **arguments);
bool measure_wanted(const char *name);
void measure(struct measurement measurement);
double measure_now(void);    // returns the time in ns
extern double measure_clock; // ns that a call of measure_now adds to a measured time
void do_work(void);          // does a piece of work

#ifdef _OPENMP
// Calls measure_begin and stores the number of threads. This function is inline, because it contains a parallel region.
// Each program's own compiler must compile this region for the OpenMP library of that program.
static inline void measure_start(int argument_count, char **arguments) {
    measure_begin(argument_count, arguments);
#pragma omp parallel
    if (omp_get_thread_num() == 0) threads = omp_get_num_threads();
}
#endif

#endif
