// SPDX-License-Identifier: BSD-3-Clause
// Reads the clock and sleeps, for the files of this folder that wait for other processes.
#ifndef SKERRY_MACHINE_LINUX_PE_CLOCK_H
#define SKERRY_MACHINE_LINUX_PE_CLOCK_H

#include <time.h>

// Returns the time in seconds. The clock never jumps when somebody sets the time of the machine.
static inline double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Sleeps. A signal handler ends the sleep.
static inline void sleep_milliseconds(long milliseconds) {
    nanosleep(&(struct timespec){.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000}, NULL);
}

#endif
