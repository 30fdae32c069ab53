// SPDX-License-Identifier: BSD-3-Clause
// One clear line, then the end of the job.
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "internal.h"

// The line leaves in one write, so that lines of several PEs do not mix. What the program printed before is not lost.
// A mistake that all PEs make gives one line, the first PE's.
static _Noreturn void end_with_line(const char *line, int length) {
    fflush(stdout);
    bool in_job = skerry_job.launched && skerry_job.attached;
    if (!in_job || !__atomic_exchange_n(&skerry_control_of(0)->failure_told, 1, __ATOMIC_ACQ_REL)) {
        ssize_t wrote = write(STDERR_FILENO, line, (size_t)length);
        (void)wrote;
    }
    if (in_job) __atomic_store_n(&skerry_control_of(skerry_facts.my_pe)->state, SKERRY_PE_ABORTED, __ATOMIC_RELEASE);
    _exit(1);
}

#define LINE_MAX_BYTES 1024

static int bounded(int length) {
    return length < 0 ? 0 : length < LINE_MAX_BYTES ? length : LINE_MAX_BYTES - 1;
}

void skerry_refuse(const char *format, ...) {
    char line[LINE_MAX_BYTES];
    int length = bounded(snprintf(line, sizeof line, "skerry: PE %d: ", skerry_facts.my_pe));
    va_list arguments;
    va_start(arguments, format);
    length = bounded(length + vsnprintf(line + length, sizeof line - (size_t)length, format, arguments));
    va_end(arguments);
    if (length > LINE_MAX_BYTES - 2) length = LINE_MAX_BYTES - 2;
    line[length++] = '\n';
    end_with_line(line, length);
}

void skerry_fail(const char *routine, const char *text) {
    skerry_refuse("%s: %s", routine, text);
}

void skerry_fail_values(const char *routine, const char *text, const long *values, int count) {
    char line[LINE_MAX_BYTES];
    int length = 0;
    for (; *text && length < LINE_MAX_BYTES - 24; text++) {
        if (*text == '#' && count > 0) {
            length += snprintf(line + length, 24, "%ld", *values++);
            count--;
        } else if (*text == '@' && count > 0) {
            length += snprintf(line + length, 24, "%#lx", (unsigned long)*values++);
            count--;
        } else {
            line[length++] = *text;
        }
    }
    line[length] = 0;
    skerry_refuse("%s: %s", routine, line);
}
