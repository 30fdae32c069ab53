// SPDX-License-Identifier: BSD-3-Clause
// Defines the system calls of the C library that concern this core's program as a process: exit, process number, time
// and memory.
#include <errno.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include "chip.h"

void _exit(int status) {
    skerry_host_exit(status);
}

// Returns the time since the core started, and reports all of it as user time of this process.
clock_t _times(struct tms *times) {
    *times = (struct tms){.tms_utime = (clock_t)(skerry_ticks() * CLOCKS_PER_SEC / skerry_ticks_per_second())};
    return times->tms_utime;
}

int _getpid(void) {
    return skerry_facts.my_pe + 1;
}

// Returns memory for the C library's heap, which lies in external memory. The program's image leaves a part of the
// external memory free. The runtime uses the first half of this part (shared.c). Each PE has an equal part of the
// second half.
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
