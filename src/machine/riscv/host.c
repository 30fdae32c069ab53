// SPDX-License-Identifier: BSD-3-Clause
// Defines the system calls of the C library (newlib) by requests to the host. The machine that uses this file defines
// `_exit` and `_sbrk`, because it knows how a job ends and where free memory is.
#include "host.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/times.h>
#include <unistd.h>

// Returns the result of a request as a system call does: stores the number of an error in errno, and returns -1.
static long result_of(long returned) {
    if (returned >= 0) return returned;
    errno = (int)-returned;
    return -1;
}

int _write(int file, const void *bytes, size_t count);
int _write(int file, const void *bytes, size_t count) {
    return (int)result_of(skerry_host_request(SKERRY_HOST_WRITE, file, (long)bytes, (long)count));
}

int _read(int file, void *bytes, size_t count);
int _read(int file, void *bytes, size_t count) {
    return (int)result_of(skerry_host_request(SKERRY_HOST_READ, file, (long)bytes, (long)count));
}

int _open(const char *name, int flags, int mode);
int _open(const char *name, int flags, int mode) {
    return (int)result_of(skerry_host_request(SKERRY_HOST_OPEN, (long)name, flags, mode));
}

int _close(int file);
int _close(int file) {
    return (int)result_of(skerry_host_request(SKERRY_HOST_CLOSE, file, 0, 0));
}

off_t _lseek(int file, off_t offset, int whence);
off_t _lseek(int file, off_t offset, int whence) {
    return result_of(skerry_host_request(SKERRY_HOST_SEEK, file, offset, whence));
}

int _fstat(int file, struct stat *status);
int _fstat(int file, struct stat *status) {
    return (int)result_of(skerry_host_request(SKERRY_HOST_FSTAT, file, (long)status, 0));
}

int _stat(const char *name, struct stat *status);
int _stat(const char *name, struct stat *status) {
    return (int)result_of(skerry_host_request(SKERRY_HOST_STAT, (long)name, (long)status, 0));
}

int _unlink(const char *name);
int _unlink(const char *name) {
    return (int)result_of(skerry_host_request(SKERRY_HOST_UNLINK, (long)name, 0, 0));
}

int _gettimeofday(struct timeval *time, void *zone);
int _gettimeofday(struct timeval *time, void *zone) {
    (void)zone;
    return (int)result_of(skerry_host_request(SKERRY_HOST_TIME_OF_DAY, (long)time, 0, 0));
}

clock_t _times(struct tms *times);
clock_t _times(struct tms *times) {
    return (clock_t)result_of(skerry_host_request(SKERRY_HOST_TIMES, (long)times, 0, 0));
}

int _isatty(int file);
int _isatty(int file) {
    struct stat status;
    if (_fstat(file, &status)) return 0;
    if (S_ISCHR(status.st_mode)) return 1;
    errno = ENOTTY;
    return 0;
}

int _getpid(void);
int _getpid(void) {
    return 1; // the only process
}

// A signal to this process ends it, with the exit code by which a shell names the signal. There is no other process.
int _kill(int process, int signal);
int _kill(int process, int signal) {
    if (process == _getpid()) _exit(128 + signal);
    errno = ESRCH;
    return -1;
}
