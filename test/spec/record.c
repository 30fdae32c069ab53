// SPDX-License-Identifier: BSD-3-Clause
// The record of calls behind record.h.
#include "record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARGUMENTS_MAX 10

static struct {
    int calls;
    const char *routine;
    const char *type;
    int arguments;
    int wrong; // first argument that is neither its mark nor its number, or -1
} record = {.wrong = -1};

static int checked;
static int failures;

void *mark(int argument) {
    static _Alignas(16) char marks[ARGUMENTS_MAX][16];
    return marks[argument];
}

void called(const char *routine, const char *type) {
    record.calls++;
    record.routine = routine;
    record.type = type;
    record.arguments = 0;
    record.wrong = -1;
}

static void got(int right) {
    if (!right && record.wrong < 0) record.wrong = record.arguments;
    record.arguments++;
}

void got_pointer(const void *pointer) {
    got(pointer == mark(record.arguments));
}

void got_number(long number) {
    got(number == NUMBER(record.arguments));
}

static void fail(const char *file, int line, const char *rule) {
    fprintf(stderr, "%s:%d: %s; last call: %s for %s, %d arguments\n", file, line, rule,
            record.routine ? record.routine : "none", record.type ? record.type : "none", record.arguments);
    failures++;
}

void expect(const char *routine, const char *type, int arguments, const char *file, int line) {
    char rule[160];
    checked++;
    if (record.calls != 1) {
        snprintf(rule, sizeof rule, "expected one call, there were %d", record.calls);
        fail(file, line, rule);
    } else if (strcmp(record.routine, routine) != 0 || strcmp(record.type, type) != 0) {
        snprintf(rule, sizeof rule, "expected %s for %s", routine, type);
        fail(file, line, rule);
    } else if (record.arguments != arguments || record.wrong >= 0) {
        snprintf(rule, sizeof rule, "argument %d of %d is not what was passed", record.wrong, arguments);
        fail(file, line, rule);
    }
    memset(&record, 0, sizeof record);
    record.wrong = -1;
}

void expect_number(long expected, long number, const char *file, int line) {
    if (number == expected) return;
    fprintf(stderr, "%s:%d: expected %ld, got %ld\n", file, line, expected, number);
    failures++;
}

int outcome(const char *test) {
    printf("%s: %d calls checked, %d failures\n", test, checked, failures);
    return failures || !checked ? EXIT_FAILURE : EXIT_SUCCESS;
}
