// SPDX-License-Identifier: BSD-3-Clause
// What the measuring programs share. A measurement is a loop of one operation; it is timed in many short batches inside
// one run, and PE 0 prints the median and the quartiles over them as a line that a program can read:
//     result NAME PES BYTES MEDIAN UNIT QUARTILE1 QUARTILE3 BATCHES
// Only OpenSHMEM 1.4 is needed, so that other implementations can be measured by the same sources.
#ifndef SKERRY_BENCH_MEASURE_H
#define SKERRY_BENCH_MEASURE_H

#include <shmem.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Routines on teams came with 1.5, scans with 1.6. Each implementation is measured through the newest interface it says
// it has.
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
    who_first, // PE 0 acts on PE 1's memory; the others wait
    who_pair,  // PEs 0 and 1 act in turn; the others wait
    who_all
};

struct measurement {
    const char *name;
    enum who who;
    size_t bytes; // printed, and the size of the operation
    void (*loop)(const struct measurement *, long count);
    bool (*verify)(const struct measurement *); // on every PE after the last batch and a barrier; may be absent
    bool together;                              // who_all: from the first start to the last end, by one clock
    double divisor;                             // operations in one turn of the loop; 0 stands for 1
    int peer;                                   // whose memory PE 0 uses
    void *destination, *source;                 // symmetric
};

extern int bench_me, bench_pes;

// Starts OpenSHMEM, pins this PE if there are processors enough, and reads: [--seconds S] [--sizes N,N,...] [NAME...].
void measure_start(int argument_count, char **arguments);
bool measure_wanted(const char *name); // named on the command line, or nothing is
// Collective. Measures and prints; where `verify` finds that the operation did not do its work, a line `wrong NAME PES
// BYTES`.
void measure(struct measurement measurement);
// Measures at each size of the command line, or 8 B to 16 MB, that is a multiple of `unit` and whose `blocks` blocks
// fit.
void measure_sizes(struct measurement measurement, size_t unit, size_t blocks);
void measure_skip(const char *name, const char *reason);
void measure_end(void); // a name that no call asked about is an error

// Bytes that `blocks` blocks of the largest size to be measured take.
size_t measure_most(size_t blocks);
// Symmetric memory on a page of its own, filled so that byte i of PE p holds measure_pattern(i, p).
void *measure_buffer(size_t bytes);
uint8_t measure_pattern(size_t index, int pe);
bool measure_holds(const void *buffer, size_t bytes, size_t first_index, int pe);

#define BENCH_BYTES_MAX ((size_t)16 << 20)

#endif
