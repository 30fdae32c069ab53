// SPDX-License-Identifier: BSD-3-Clause
// Begins and ends a program on machines for OpenMP workers (smp, sarc): initialises the C library and calls main.
// Defines the system calls that concern the process. The whole job is one process. The system calls for files are in
// ../chip/host_library.c.
#include "host.h"
#include "worker_world.h"

#include <errno.h>
#include <reent.h>
#include <stdlib.h>
#include <sys/times.h>
#include <unistd.h>

struct skerry_job skerry_job = {.cores = 0};

int main(int argc, char **argv, char **environment);
void __libc_init_array(void);
void _init(void);
void _fini(void);

// The C library calls these two functions before the constructors and after the destructors. They have nothing to do.
void _init(void) {
}

void _fini(void) {
}

// Opens the C library's standard files, in programs that use files. Without this call, the library opens the files at
// their first use. It marks a file as open before the file is open. So another thread that prints at the same time
// would use a file that does not exist yet.
extern void __sinit(struct _reent *library) __attribute__((weak));

void skerry_run_main(void) {
    if (__sinit) __sinit(_REENT);
    __libc_init_array();
    exit(main(skerry_job.argument_count, skerry_job.arguments, skerry_job.environment));
}

void skerry_end_job(int status) {
    for (;;) skerry_host_request(SKERRY_HOST_END_JOB, status, 0, 0);
}

clock_t _times(struct tms *times) {
    return (clock_t)SKERRY_HOST_CALL(SKERRY_HOST_TIMES, times, 0, 0);
}

int _getpid(void);
int _getpid(void) {
    return 1;
}

// Ends the process if the signal is for this process. The exit code is the one by which a shell shows the signal. No
// other process exists, so a signal for another process is an error.
int _kill(int process, int signal);
int _kill(int process, int signal) {
    if (process == _getpid()) _exit(128 + signal);
    errno = ESRCH;
    return -1;
}
