// SPDX-License-Identifier: BSD-3-Clause
// Counts the threads of this machine that can run: the first number of the fourth field of /proc/loadavg, such as
// "1/80".
#define _GNU_SOURCE
#include "runnable.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

long skerry_runnable_threads(void) {
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
