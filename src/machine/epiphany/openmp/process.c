// SPDX-License-Identifier: BSD-3-Clause
// Defines the end of an OpenMP program, its messages, and the system calls of the C library that concern the process.
// The C library's variables lie in each core's memory. So each thread has a heap, a buffer of standard output and an
// errno of its own, and the C library needs no locks. All heaps are in external memory.
#include "core.h"

#include <errno.h>
#include <sys/reent.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

// Appends a text to the line of `length` bytes. Returns the new length. The line keeps one byte for the line's end.
static size_t append(char *line, size_t length, size_t bytes, const char *text) {
    while (*text && length < bytes - 1) line[length++] = *text++;
    return length;
}

void skerry_print_line(const char *const *texts) {
    char line[256];
    size_t length = append(line, 0, sizeof line, "libgomp: ");
    while (*texts) length = append(line, length, sizeof line, *texts++);
    line[length++] = '\n';
    skerry_host_write(STDERR_FILENO, line, length);
}

// All threads often find the same mistake. The first one that takes the first core's word writes its line, and the others
// wait until the job has ended. Without a job (pes is 0) no other core can have written a line.
void skerry_stop(const char *text) {
    static volatile uint32_t stops;
    if (skerry_job.pes > 0 && skerry_test_and_set(skerry_global(&stops, 0)) != 0)
        for (;;) continue;
    skerry_print_line((const char *const[]){text, NULL});
    skerry_host_end_job(EXIT_FAILURE);
}

const char *skerry_environment(const char *name) {
    for (char **each = skerry_job.environ; each && *each; each++) {
        const char *left = *each, *right = name;
        while (*right && *left == *right) left++, right++;
        if (!*right && *left == '=') return left + 1;
    }
    return NULL;
}

// Writes what a thread has printed and the C library still has in a buffer. Only programs that use files have this code.
#pragma weak _global_impure_ptr
static void flush(void *unused) {
    (void)unused;
    if (&_global_impure_ptr && _global_impure_ptr->__cleanup) _global_impure_ptr->__cleanup(_global_impure_ptr);
}

// Ends the job. exit() has flushed the buffers of the calling thread. If no region is active, the other threads flush
// theirs.
bool skerry_omp_is_serial(void);
void GOMP_parallel(void (*function)(void *), void *data, unsigned threads, unsigned flags);
void _exit(int status) {
    if (&_global_impure_ptr && skerry_facts.my_pe == 0 && skerry_omp_is_serial())
        GOMP_parallel(flush, NULL, (unsigned)skerry_facts.pe_count, 0);
    skerry_host_end_job(status);
}

int _kill(int process, int signal) {
    (void)process;
    skerry_host_end_job(128 + signal);
}

clock_t _times(struct tms *times) {
    *times = (struct tms){.tms_utime = (clock_t)(skerry_ticks() * CLOCKS_PER_SEC / skerry_ticks_per_second())};
    return times->tms_utime;
}

int _getpid(void) {
    return 1;
}

// A core has one thread, and no other thread can use the time.
int sched_yield(void) {
    return 0;
}

// -- Waits, which poll the clock ---------------------------------------------------------------------------------------

static void wait_cycles(uint64_t cycles) {
    const uint64_t end = skerry_ticks() + cycles;
    while (skerry_ticks() < end) continue;
}

int usleep(useconds_t microseconds) {
    wait_cycles(skerry_ticks_per_second() / 1000000 * microseconds);
    return 0;
}

unsigned sleep(unsigned seconds) {
    wait_cycles(skerry_ticks_per_second() * seconds);
    return 0;
}

// -- Memory of the C library -------------------------------------------------------------------------------------------

// Each core has an equal part of the external memory that the program's image leaves free.
void *_sbrk(ptrdiff_t increment) {
    static char *at;
    static char *end;
    if (!at) {
        size_t part = (size_t)(skerry_job.external_end - skerry_job.external_begin) / (unsigned)skerry_facts.pe_count;
        part &= ~(size_t)7;
        at = skerry_job.external_begin + part * (unsigned)skerry_facts.my_pe;
        end = at + part;
    }
    if (increment > end - at) {
        errno = ENOMEM;
        return (void *)-1;
    }
    at += increment;
    return at - increment;
}
