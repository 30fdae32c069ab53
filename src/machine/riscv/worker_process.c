// SPDX-License-Identifier: BSD-3-Clause
// Defines the system calls of the C library that concern the program, for machines for workers: the job is its only process.
// Those of files are in ../chip/host_library.c.
#include "host.h"

#include <errno.h>
#include <sys/times.h>
#include <unistd.h>

clock_t _times(struct tms *times) {
    return (clock_t)SKERRY_HOST_CALL(SKERRY_HOST_TIMES, times, 0, 0);
}

int _getpid(void);
int _getpid(void) {
    return 1;
}

// A signal to this process ends it, with the exit code by which a shell names the signal. There is no other process.
int _kill(int process, int signal);
int _kill(int process, int signal) {
    if (process == _getpid()) _exit(128 + signal);
    errno = ESRCH;
    return -1;
}
