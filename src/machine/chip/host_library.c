// SPDX-License-Identifier: BSD-3-Clause
// Defines the system calls of the C library for files and for the time of day. The host, the machine that the chip is
// connected to, executes these calls (SKERRY_HOST_CALL in the host.h of the chip's machine folder).
#include <errno.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "host.h" // the machine's

int _write(int file, const void *bytes, size_t count) {
    return (int)SKERRY_HOST_CALL(SKERRY_HOST_WRITE, file, bytes, count);
}

int _read(int file, void *bytes, size_t count) {
    return (int)SKERRY_HOST_CALL(SKERRY_HOST_READ, file, bytes, count);
}

int _open(const char *path, int flags, ...) {
    return (int)SKERRY_HOST_CALL(SKERRY_HOST_OPEN, path, flags, 0);
}

int _close(int file) {
    return (int)SKERRY_HOST_CALL(SKERRY_HOST_CLOSE, file, 0, 0);
}

off_t _lseek(int file, off_t offset, int from) {
    return SKERRY_HOST_CALL(SKERRY_HOST_SEEK, file, offset, from);
}

int _unlink(const char *path) {
    return (int)SKERRY_HOST_CALL(SKERRY_HOST_UNLINK, path, 0, 0);
}

int _fstat(int file, struct stat *status) {
    return (int)SKERRY_HOST_CALL(SKERRY_HOST_FSTAT, file, status, 0);
}

int _stat(const char *path, struct stat *status) {
    return (int)SKERRY_HOST_CALL(SKERRY_HOST_STAT, path, status, 0);
}

int _gettimeofday(struct timeval *time, void *zone) {
    (void)zone;
    return (int)SKERRY_HOST_CALL(SKERRY_HOST_TIME_OF_DAY, time, 0, 0);
}

// The host has no service for links, so rename() fails.
int _link(const char *from, const char *to) {
    (void)from;
    (void)to;
    errno = ENOSYS;
    return -1;
}

int _isatty(int file) {
    return file < 3;
}
