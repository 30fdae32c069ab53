// SPDX-License-Identifier: BSD-3-Clause
// Finds out whether other programs use the processors that this process computes on. The kernel reports how many
// threads of the whole machine can run at this moment (proc(5), /proc/loadavg, the fourth field). If that number is
// larger than the number of this process's own threads that can run, another program computes. Reading it takes some
// microseconds, so it is read only if a time slice or many waits depend on it.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

// Returns the number of threads of this machine that can run, or 0 if the kernel does not report it.
static long runnable_threads(void) {
    char text[128]; // "0.20 0.18 0.12 1/80 11206\n"
    int file = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    if (length <= 0) return 0;
    text[length] = 0;
    const char *slash = strchr(text, '/');
    while (slash && slash > text && slash[-1] != ' ') slash--;
    return slash ? strtol(slash, NULL, 10) : 0;
}

// Compares two counts of different moments, so the answer is a guess. A thread that was just woken counts as a sleeper
// until it runs. So the function is more likely to report another program that does not exist than to miss one.
bool skerry_others_compute(void) {
    long runnable = runnable_threads();
    int32_t own = __atomic_load_n(&skerry_worker_facts.awake, __ATOMIC_RELAXED) -
                  __atomic_load_n(&skerry_worker_facts.sleepers, __ATOMIC_RELAXED);
    return runnable <= 0 || runnable > own;
}
