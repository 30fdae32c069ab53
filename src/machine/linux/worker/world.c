// SPDX-License-Identifier: BSD-3-Clause
// Memory, the environment, messages and the clock.
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
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

void skerry_warn(const char *text) {
    char line[1024];
    size_t bytes = strlen(text);
    if (bytes > sizeof line - 1) bytes = sizeof line - 1;
    memcpy(line, text, bytes);
    line[bytes] = '\n';
    ssize_t written = write(STDERR_FILENO, line, bytes + 1);
    (void)written;
}

void skerry_stop(const char *text) {
    skerry_warn(text);
    exit(1); // what the program has printed is not lost
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
