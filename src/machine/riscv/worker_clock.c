// SPDX-License-Identifier: BSD-3-Clause
// Implements the functions of POSIX for clocks and short waits, by which also the C++ library measures time.
#define _POSIX_TIMERS 1 // newlib's <time.h> declares the functions only with these two
#define _POSIX_MONOTONIC_CLOCK 1
#include "worker_world.h"

#include <errno.h>
#include <stddef.h>
#include <sys/time.h>
#include <time.h>

#define NANOSECONDS 1000000000u

// Waits for the whole time: there are no signals.
int nanosleep(const struct timespec *time, struct timespec *rest) {
    const uint64_t nanoseconds = (uint64_t)NANOSECONDS * (uint64_t)time->tv_sec + (uint64_t)time->tv_nsec;
    const uint64_t end = skerry_nanoseconds() + nanoseconds;
    while (skerry_nanoseconds() < end) skerry_yield();
    if (rest) *rest = (struct timespec){.tv_nsec = 0};
    return 0;
}

// The monotonic clock begins with the job. The host knows the time of day, in microseconds.
int clock_gettime(clockid_t clock, struct timespec *time) {
    if (clock == CLOCK_MONOTONIC) {
        const uint64_t now = skerry_nanoseconds();
        *time = (struct timespec){.tv_sec = (time_t)(now / NANOSECONDS), .tv_nsec = (long)(now % NANOSECONDS)};
        return 0;
    }
    struct timeval now;
    if (clock != CLOCK_REALTIME || gettimeofday(&now, NULL) != 0) {
        errno = EINVAL;
        return -1;
    }
    *time = (struct timespec){.tv_sec = now.tv_sec, .tv_nsec = now.tv_usec * 1000};
    return 0;
}
