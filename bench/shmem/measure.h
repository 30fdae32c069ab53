// SPDX-License-Identifier: BSD-3-Clause
// Declares the functions that the measuring programs share. A measurement is a loop of one operation. One run times the
// loop in many short batches. The programs need OpenSHMEM 1.4 only, so the same sources can measure other
// implementations. PE 0 prints the median and the quartiles of the batches as a line that a program can read:
//     result NAME PES BYTES MEDIAN UNIT QUARTILE1 QUARTILE3 BATCHES
#ifndef SKERRY_BENCH_MEASURE_H
#define SKERRY_BENCH_MEASURE_H

#include <shmem.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// BENCH_TEAMS is 1 if routines on teams are measured, which OpenSHMEM 1.5 introduced. BENCH_SCANS is the same for scans
// (1.6). Each implementation is measured through the newest interface that its version number promises.
#ifndef BENCH_TEAMS
#if SHMEM_MAJOR_VERSION > 1 || SHMEM_MINOR_VERSION >= 5
#define BENCH_TEAMS 1
#else
#define BENCH_TEAMS 0
#endif
#endif
#ifndef BENCH_SCANS
#if SHMEM_MAJOR_VERSION > 1 || SHMEM_MINOR_VERSION >= 6
#define BENCH_SCANS 1
#else
#define BENCH_SCANS 0
#endif
#endif

enum who {
    who_first, // PE 0 acts on PE 1's memory; the other PEs wait
    who_pair,  // PEs 0 and 1 act in turn; the other PEs wait
    who_all
};

struct measurement {
    const char *name;
    enum who who;
    size_t bytes; // size of the operation; it is printed
    void (*loop)(const struct measurement *, long count);
    bool (*verify)(const struct measurement *); // each PE calls it after the last batch and a barrier; NULL: no check
    bool together;                              // true, with who_all: time from the first start to the last end
    double divisor;                             // number of operations in one turn of the loop; 0 means 1
    int peer;                                   // PE whose memory PE 0 uses; `measure` sets it
    void *destination, *source;                 // symmetric addresses
};

extern int bench_me, bench_pes;

// Starts OpenSHMEM, pins this PE if there are enough processors, and reads the options
// [--seconds S] [--sizes N,N,...] [NAME...].
void measure_start(int argument_count, char **arguments);
bool measure_wanted(const char *name); // returns true if the command line has this name, or has no names
// Collective. Runs a measurement. PE 0 prints the result, or the line `wrong NAME PES BYTES` if `verify` returned false
// on any PE.
void measure(struct measurement measurement);
// Calls `measure` for each size of the command line. The default is each power of two from 8 B to 16 MB. Leaves out a
// size that is not a multiple of `unit`. Also leaves out a size of which `blocks` blocks do not fit into
// BENCH_BYTES_MAX bytes.
void measure_sizes(struct measurement measurement, size_t unit, size_t blocks);
void measure_skip(const char *name, const char *reason);
// Ends OpenSHMEM. Ends the job with an error if the command line has a name that was never passed to measure_wanted.
void measure_end(void);

// Returns a number of bytes that is enough for `blocks` blocks of the largest size that will be measured.
size_t measure_most(size_t blocks);
// Returns symmetric memory that begins at a page. Byte i of PE p has the value measure_pattern(i, p).
void *measure_buffer(size_t bytes);
uint8_t measure_pattern(size_t index, int pe);
bool measure_holds(const void *buffer, size_t bytes, size_t first_index, int pe);

#define BENCH_BYTES_MAX ((size_t)16 << 20)

#endif
