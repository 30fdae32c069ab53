// SPDX-License-Identifier: BSD-3-Clause
// Defines the system calls of the C library: files and time, which the host handles (host.c), and memory.
#include <errno.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include "host.h"
#include "internal.h"

#define CALL_LSEEK 6
#define CALL_UNLINK 7
#define CALL_FSTAT 10
#define CALL_STAT 15
#define CALL_GETTIMEOFDAY 19

// Calls a service of the host. The arguments are in r0 to r2, and the number of the service in r3. The host returns the
// result in r0 and the error in r3.
#define CALL(TRAP, NUMBER, A, B, C)                                                                                    \
    __extension__({                                                                                                    \
        register long r0 __asm__("r0") = (long)(A);                                                                    \
        register long r1 __asm__("r1") = (long)(B);                                                                    \
        register long r2 __asm__("r2") = (long)(C);                                                                    \
        register long r3 __asm__("r3") = (NUMBER);                                                                     \
        __asm__ volatile("trap %4" : "+r"(r0), "+r"(r3) : "r"(r1), "r"(r2), "i"(TRAP) : "memory", "cc");               \
        if (r0 == -1) errno = (int)r3;                                                                                 \
        r0;                                                                                                            \
    })

void _exit(int status) {
    skerry_host_exit(status);
}

int _write(int file, const void *bytes, size_t count) {
    return (int)CALL(TRAP_WRITE, 0, file, bytes, count);
}

int _read(int file, void *bytes, size_t count) {
    return (int)CALL(TRAP_READ, 0, file, bytes, count);
}

int _open(const char *path, int flags, ...) {
    return (int)CALL(TRAP_OPEN, 0, path, flags, 0);
}

int _close(int file) {
    return (int)CALL(TRAP_CLOSE, 0, file, 0, 0);
}

off_t _lseek(int file, off_t offset, int from) {
    return CALL(TRAP_OTHER, CALL_LSEEK, file, offset, from);
}

int _unlink(const char *path) {
    return (int)CALL(TRAP_OTHER, CALL_UNLINK, path, 0, 0);
}

int _fstat(int file, struct stat *status) {
    return (int)CALL(TRAP_OTHER, CALL_FSTAT, file, status, 0);
}

int _stat(const char *path, struct stat *status) {
    return (int)CALL(TRAP_OTHER, CALL_STAT, path, status, 0);
}

int _gettimeofday(struct timeval *time, void *zone) {
    (void)zone;
    return (int)CALL(TRAP_OTHER, CALL_GETTIMEOFDAY, time, 0, 0);
}

// Returns the time since the core started, and reports all of it as user time of this process.
clock_t _times(struct tms *times) {
    *times = (struct tms){.tms_utime = (clock_t)(skerry_ticks() * CLOCKS_PER_SEC / skerry_ticks_per_second())};
    return times->tms_utime;
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

int _getpid(void) {
    return skerry_facts.my_pe + 1;
}

// Returns memory for the C library's heap, which lies in external memory. The runtime uses the first half of the
// external memory that the image leaves free (shared.c). Each PE has an equal part of the second half.
void *_sbrk(ptrdiff_t increment) {
    static char *at;
    static char *end;
    if (!at) {
        size_t half = (size_t)(skerry_job.external_end - skerry_job.external_begin) / 2;
        size_t share = half / (unsigned)skerry_facts.pe_count & ~(size_t)7;
        at = skerry_job.external_begin + half + share * (unsigned)skerry_facts.my_pe;
        end = at + share;
    }
    if (increment > end - at) {
        errno = ENOMEM;
        return (void *)-1;
    }
    at += increment;
    return at - increment;
}
