// SPDX-License-Identifier: BSD-3-Clause
// Writes an error message of one line, and ends the job. The core has no division instruction, and a division in
// software would be larger than the rest of this file. So this file finds the digits of a number by subtractions.
#include "chip.h"

struct line {
    int length;
    char at[160];
};

static void append(struct line *line, char c) {
    if (line->length < (int)sizeof line->at - 1) line->at[line->length++] = c;
}

static void append_text(struct line *line, const char *text) {
    while (*text) append(line, *text++);
}

static void append_decimal(struct line *line, long value) {
    static const unsigned long powers[] = {1000000000, 100000000, 10000000, 1000000, 100000, 10000, 1000, 100, 10, 1};
    unsigned long rest = value < 0 ? 0ul - (unsigned long)value : (unsigned long)value;
    bool begun = false;
    if (value < 0) append(line, '-');
    for (unsigned i = 0; i < sizeof powers / sizeof powers[0]; i++) {
        char digit = '0';
        for (; rest >= powers[i]; rest -= powers[i]) digit++;
        begun = begun || digit != '0' || powers[i] == 1;
        if (begun) append(line, digit);
    }
}

static void append_address(struct line *line, unsigned long value) {
    append_text(line, "0x");
    int shift = 28;
    while (shift > 0 && value >> shift == 0) shift -= 4;
    for (; shift >= 0; shift -= 4) append(line, "0123456789abcdef"[value >> shift & 15]);
}

void skerry_write_line(const char *routine, const char *text, const long *values, int count) {
    struct line line;
    line.length = 0;
    append_text(&line, "skerry: PE ");
    append_decimal(&line, skerry_my_pe());
    append_text(&line, ": ");
    append_text(&line, routine);
    append_text(&line, ": ");
    for (; *text; text++) {
        if (*text == '#' && count-- > 0) append_decimal(&line, *values++);
        else if (*text == '@' && count-- > 0) append_address(&line, (unsigned long)*values++);
        else append(&line, *text);
    }
    line.at[line.length++] = '\n';
    skerry_host_write(2, line.at, (size_t)line.length);
}

void skerry_fail_values(const char *routine, const char *text, const long *values, int count) {
    skerry_write_line(routine, text, values, count);
    skerry_host_end_job(1);
}

void skerry_refuse_pe(int pe) {
    skerry_fail_values("a put, get or atomic", "pe #: the job has PEs 0 to #", (long[]){pe, skerry_pe_count() - 1}, 2);
}

void skerry_fail(const char *routine, const char *text) {
    skerry_fail_values(routine, text, 0, 0);
}
