// SPDX-License-Identifier: BSD-3-Clause
// Prints result lines (README.md) without the C library's printf, which takes 14 KB of a small memory.
#ifndef SKERRY_BENCH_CHIP_RESULT_LINE_H
#define SKERRY_BENCH_CHIP_RESULT_LINE_H

#include <stdint.h>
#include <string.h>
#include <unistd.h>

static size_t append_text(char *line, size_t end, const char *text) {
    const size_t length = strlen(text);
    memcpy(line + end, text, length);
    return end + length;
}

static size_t append_number(char *line, size_t end, uint32_t number) {
    char digits[10];
    size_t left = sizeof digits;
    do digits[--left] = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    memcpy(line + end, digits + left, sizeof digits - left);
    return end + sizeof digits - left;
}

// Prints "result NAMES THREADS 0 CYCLES", where NAMES are the names, each with _ behind it except the last one, which is
// followed by NULL. The cycles are in tenths. Together the names have at most 100 letters.
static void print_result(const char *const *names, int threads, uint32_t tenths) {
    char line[160];
    size_t end = append_text(line, 0, "result ");
    for (; *names; names++) {
        end = append_text(line, end, *names);
        if (names[1]) line[end++] = '_';
    }
    line[end++] = ' ';
    end = append_number(line, end, (uint32_t)threads);
    end = append_text(line, end, " 0 ");
    end = append_number(line, end, tenths / 10);
    line[end++] = '.';
    end = append_number(line, end, tenths % 10);
    line[end++] = '\n';
    if (write(STDOUT_FILENO, line, end) < 0) _exit(2);
}

#endif
