// SPDX-License-Identifier: BSD-3-Clause
// Draws the progress line. A PE cannot ask for the terminal's width, because its output streams are pipes to oshrun. So
// oshrun gives the width to the PEs in the variable SKERRY_TERMINAL.
#include "progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double between_shows = 0.1; // seconds

static double seconds_of(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double seconds(void) {
    return seconds_of(CLOCK_MONOTONIC);
}

double processor_seconds(void) {
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

static int terminal_columns(void) {
    const char *given = getenv("SKERRY_TERMINAL");
    if (given != NULL) return atoi(given);
    return isatty(STDERR_FILENO) ? 80 : 0;
}

Progress progress_start(const char *what, uint64_t total) {
    const double now = seconds();
    return (Progress){.what = what, .total = total, .started = now, .shown = now, .columns = terminal_columns()};
}

void progress_show(Progress *progress, uint64_t done) {
    const double now = seconds();
    if (progress->columns < 40 || now - progress->shown < between_shows) return;
    progress->shown = now;
    const double part = (double)done / (double)progress->total;
    const double left = part > 0 ? (now - progress->started) * (1 - part) / part : 0;
    char bar[64];
    size_t length = (size_t)progress->columns - strlen(progress->what) - 24;
    if (length > sizeof bar - 1) length = sizeof bar - 1;
    const size_t full = (size_t)(part * (double)length);
    memset(bar, '.', length);
    memset(bar, '#', full < length ? full : length);
    bar[length] = '\0';
    fprintf(stderr, "\r%s [%s] %3.0f %% %4.0f s left", progress->what, bar, 100 * part, left);
}

void progress_end(Progress *progress) {
    if (progress->columns > 0) fprintf(stderr, "\r\033[K");
    progress->columns = 0;
}
