// SPDX-License-Identifier: BSD-3-Clause
// Writes messages of one line to the error output. Most of them end the job.
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "internal.h"

// Writes a line in one system call, so that lines of several PEs do not mix.
static void write_line(const char *line, int length) {
    ssize_t wrote = write(STDERR_FILENO, line, (size_t)length);
    (void)wrote;
}

// Flushes the output that the program has printed, writes the line, and ends this PE with exit code 1. If several PEs
// of a job call this function, only the first of them writes its line. Reason: usually all PEs fail for the same
// reason.
static _Noreturn void end_with_line(const char *line, int length) {
    fflush(stdout);
    const bool in_job = (skerry_job.launched || skerry_job.managed) && skerry_job.attached;
    const bool is_early = !in_job && skerry_job.is_task;
    const bool is_told = in_job ? __atomic_exchange_n(&skerry_first_control()->failure_told, 1, __ATOMIC_ACQ_REL)
                                : is_early && !skerry_may_tell_early();
    if (!is_told) write_line(line, length);
    skerry_tell_host();
    if (in_job) __atomic_store_n(&skerry_control_of(skerry_facts.my_pe)->state, SKERRY_PE_ABORTED, __ATOMIC_RELEASE);
    skerry_fail_managed_job(1);
    if (is_early) skerry_end_early(!is_told);
    _exit(1);
}

#define LINE_MAX_BYTES 1024

static int bounded(int length) {
    return length < 0 ? 0 : length < LINE_MAX_BYTES ? length : LINE_MAX_BYTES - 1;
}

// Writes "skerry: PE n: text" with its end of line into `line`, and returns the length.
static int compose(char *line, const char *format, va_list arguments) {
    int length = bounded(snprintf(line, LINE_MAX_BYTES, "skerry: PE %d: ", skerry_facts.my_pe));
    length = bounded(length + vsnprintf(line + length, (size_t)(LINE_MAX_BYTES - length), format, arguments));
    if (length > LINE_MAX_BYTES - 2) length = LINE_MAX_BYTES - 2;
    line[length++] = '\n';
    return length;
}

void skerry_say(const char *format, ...) {
    char line[LINE_MAX_BYTES];
    va_list arguments;
    va_start(arguments, format);
    write_line(line, compose(line, format, arguments));
    va_end(arguments);
}

void skerry_refuse(const char *format, ...) {
    char line[LINE_MAX_BYTES];
    va_list arguments;
    va_start(arguments, format);
    int length = compose(line, format, arguments);
    va_end(arguments);
    end_with_line(line, length);
}

void skerry_fail(const char *routine, const char *text) {
    skerry_refuse("%s: %s", routine, text);
}

// Writes the text into `line`, of LINE_MAX_BYTES bytes. Each # becomes the next value in decimal. Each @ becomes the
// next value as an address.
static void put_values(char *line, const char *text, const long *values, int count) {
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
}

void skerry_fail_values(const char *routine, const char *text, const long *values, int count) {
    char line[LINE_MAX_BYTES];
    put_values(line, text, values, count);
    skerry_refuse("%s: %s", routine, line);
}

void skerry_report_values(const char *routine, const char *text, const long *values, int count) {
    char line[LINE_MAX_BYTES], whole[LINE_MAX_BYTES + 1];
    put_values(line, text, values, count);
    int length = bounded(snprintf(whole, LINE_MAX_BYTES, "skerry: PE %d: %s: %s", skerry_facts.my_pe, routine, line));
    whole[length++] = '\n';
    ssize_t wrote = write(STDERR_FILENO, whole, (size_t)length);
    (void)wrote;
}
