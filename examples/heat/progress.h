// SPDX-License-Identifier: BSD-3-Clause
// A line on the terminal that says how far a long work is. Where standard error is no terminal it stays silent.
#pragma once
#include <stdint.h>

typedef struct {
    const char *what;
    uint64_t total;
    double started, shown; // seconds
    int columns;           // of the terminal; 0 without one
} Progress;

Progress progress_start(const char *what, uint64_t total);
void progress_show(Progress *progress, uint64_t done);
void progress_end(Progress *progress); // wipes the line

double seconds(void);           // a clock's, since some moment
double processor_seconds(void); // this process's
