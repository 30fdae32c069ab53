// SPDX-License-Identifier: BSD-3-Clause
// Reads the environment variables of the OpenSHMEM specification (section 8). Prints the information that
// SHMEM_VERSION, SHMEM_INFO and SHMEM_DEBUG ask for.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../variables.h"
#include "internal.h"

// Returns the value of the variable `name`. If that variable is not set or empty, returns the value of the variable
// `older_name`. Returns NULL if both variables are not set or empty.
static const char *variable(const char *name, const char *older_name) {
    const char *value = getenv(name);
    if (!value || !*value) value = getenv(older_name);
    return value && *value ? value : NULL;
}

// Returns `text` without the unit "b" or "ib", in upper or lower case, if `text` begins with such a unit.
static const char *without_unit(const char *text) {
    size_t i = *text && strchr("iI", *text) ? 1 : 0;
    return text[i] && strchr("bB", text[i]) ? text + i + 1 : text;
}

// Reads a size in bytes: a decimal number above 0 with an optional fraction, and an optional factor k, m, g or t
// (powers of 1024). Sets `*behind` to the text after the factor and its unit. Returns false if the text does not begin
// with a size. Does not use strtod, because strtod depends on the locale.
static bool parse_size(const char *text, uint64_t *bytes, const char **behind) {
    long double value = 0, scale = 1;
    bool any_digit = false;
    for (; *text >= '0' && *text <= '9'; text++, any_digit = true) value = value * 10 + (*text - '0');
    if (*text == '.')
        for (text++; *text >= '0' && *text <= '9'; text++, any_digit = true) value += (*text - '0') * (scale /= 10);
    static const char suffixes[] = "kmgt";
    const char *suffix = *text ? strchr(suffixes, *text | 0x20) : NULL;
    if (!any_digit || (*text && !suffix)) return false;
    for (const char *step = suffixes; suffix && step <= suffix; step++) value *= 1024;
    if (value <= 0 || value > 1e18L) return false;
    *behind = without_unit(suffix ? text + 1 : text);
    *bytes = (uint64_t)value + ((long double)(uint64_t)value < value);
    return true;
}

long skerry_whole_number(const char *name, long otherwise) {
    const char *text = getenv(name);
    if (!text || !*text) return otherwise;
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (*end || end == text || errno || value < 0)
        skerry_refuse("%s=%s: must be a whole number, not below 0", name, text);
    return value;
}

#define HEAP_UNIT (UINT64_C(2) << 20) // bytes of a huge page

uint64_t skerry_heap_bytes_wanted(void) {
    const char *text = variable("SHMEM_SYMMETRIC_SIZE", "SMA_SYMMETRIC_SIZE");
    uint64_t bytes = SKERRY_HEAP_BYTES_DEFAULT;
    const char *behind = "";
    if (text && !parse_size(text, &bytes, &behind))
        skerry_refuse("SHMEM_SYMMETRIC_SIZE=%s: not a size (a number above 0, then k, m, g or t)", text);
    if (*behind)
        skerry_say("SHMEM_SYMMETRIC_SIZE=%s: taken as %llu bytes; the characters after the factor are ignored", text,
                   (unsigned long long)bytes);
    bytes = (bytes + HEAP_UNIT - 1) / HEAP_UNIT * HEAP_UNIT;
    if (bytes > SKERRY_HEAP_BYTES_MAX)
        skerry_refuse("SHMEM_SYMMETRIC_SIZE=%s: a PE's symmetric heap holds at most %llu MB", text,
                      (unsigned long long)SKERRY_HEAP_BYTES_MAX >> 20);
    return bytes;
}

int skerry_word_setting(const char *name, const char *const *words, int count, const char *rule) {
    const char *text = getenv(name);
    const int word = skerry_find_word(text, words, count);
    if (word == SKERRY_WORD_WRONG) skerry_refuse("%s=%s: must be %s", name, text, rule);
    return word;
}

long skerry_number_setting(const char *name, long otherwise, long most) {
    long value = skerry_whole_number(name, otherwise);
    if (value > most) skerry_refuse("%s=%ld: must be at most %ld", name, value, most);
    return value;
}

bool skerry_is_switched_on(const char *name) {
    const char *text = getenv(name);
    const int value = skerry_switch_value(text);
    if (value == SKERRY_WORD_WRONG) skerry_refuse("%s=%s: " SKERRY_SWITCH_RULE, name, text);
    return value > 0;
}

static void print_variables(void) {
    for (const struct skerry_variable *each = skerry_variables; each->name; each++) {
        if (!each->meaning) continue;
        const int width = (int)(strlen(each->name) + 1 + strlen(each->form));
        printf("%s=%s%*s%s", each->name, each->form, width < 37 ? 38 - width : 1, "", each->meaning);
        if (each->older) printf("; older name: %s", each->older);
        if (strcmp(each->name, "SHMEM_SYMMETRIC_SIZE") == 0)
            printf("; now %llu bytes", (unsigned long long)skerry_facts.heap_bytes);
        putchar('\n');
    }
    puts("A value that is empty counts as not set. OpenMP's variables, OMP_*, are not in this list.");
}

void skerry_print_environment(void) {
    if (variable("SHMEM_VERSION", "SMA_VERSION"))
        printf("Skerry %s, OpenSHMEM 1.6, Linux, up to %d PEs\n", SKERRY_VERSION, SKERRY_PES_MAX);
    if (variable("SHMEM_INFO", "SMA_INFO")) print_variables();
    if (variable("SHMEM_DEBUG", "SMA_DEBUG")) {
        char tuning[SKERRY_TUNING_TEXT_BYTES];
        skerry_format_tuning(&skerry_tuning, tuning);
        fprintf(stderr, "skerry: %d PEs, %s; static data %#llx..%#llx; heap %llu bytes; sleeping %s; %s\n",
                skerry_facts.pe_count, skerry_facts.oversubscribed ? "more than processors" : "a processor each",
                (unsigned long long)skerry_facts.data_begin, (unsigned long long)skerry_facts.data_end,
                (unsigned long long)skerry_facts.heap_bytes, skerry_job.membarrier ? "by membarrier" : "by naps",
                tuning);
    }
    fflush(stdout);
}
