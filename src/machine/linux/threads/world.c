// SPDX-License-Identifier: BSD-3-Clause
// Provides memory, environment variables, messages and a clock, and the names of the machine, the process and the
// thread.
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

void *skerry_memory_take(size_t bytes, size_t alignment) {
    void *memory = NULL;
    if (alignment <= _Alignof(max_align_t)) return malloc(bytes);
    return posix_memalign(&memory, alignment, bytes) == 0 ? memory : NULL;
}

void skerry_memory_give(void *memory) {
    free(memory);
}

const char *skerry_environment(const char *name) {
    return secure_getenv(name);
}

bool skerry_has_environment(void) {
    return environ && environ[0];
}

void skerry_warn(const char *text) {
    // Writes the line by one system call, so that lines of several threads do not mix.
    struct iovec parts[2] = {{(void *)(uintptr_t)text, strlen(text)}, {"\n", 1}};
    ssize_t written = writev(STDERR_FILENO, parts, 2);
    (void)written;
}

void skerry_stop(const char *text) {
    skerry_warn(text);
    exit(1); // exit flushes what the program has printed
}

double skerry_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double skerry_seconds_tick(void) {
    struct timespec tick;
    clock_getres(CLOCK_MONOTONIC, &tick);
    return (double)tick.tv_sec + (double)tick.tv_nsec * 1e-9;
}

const char *skerry_host_name(void) {
    static char name[256];
    if (!name[0] && gethostname(name, sizeof name - 1) != 0) return "node";
    return name;
}

int64_t skerry_process_number(void) {
    return getpid();
}

int64_t skerry_system_thread(void) {
    return syscall(SYS_gettid);
}
