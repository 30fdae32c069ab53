// SPDX-License-Identifier: BSD-3-Clause
// A line on the terminal that shows the progress of a long computation. If standard error is no terminal, nothing is
// written.
#pragma once
#include <stdint.h>

typedef struct {
    const char *what;
    uint64_t total;
    double started, shown; // seconds
    int columns;           // width of the terminal in characters; 0: no terminal
} Progress;

Progress progress_start(const char *what, uint64_t total);
void progress_show(Progress *progress, uint64_t done);
void progress_end(Progress *progress); // erases the line

double seconds(void);           // time on a clock, since an arbitrary moment
double processor_seconds(void); // processor time of this process
