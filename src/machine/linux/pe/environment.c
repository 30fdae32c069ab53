// SPDX-License-Identifier: BSD-3-Clause
// Reads the environment variables of the OpenSHMEM specification (section 8). Prints the information that
// SHMEM_VERSION, SHMEM_INFO and SHMEM_DEBUG ask for.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "internal.h"

static const char *variable(const char *name, const char *older_name) {
    const char *value = getenv(name);
    return value ? value : getenv(older_name);
}

// Returns `text` without the unit "b" or "ib", in upper or lower case, if `text` begins with such a unit.
static const char *without_unit(const char *text) {
    size_t i = *text && strchr("iI", *text) ? 1 : 0;
    return text[i] && strchr("bB", text[i]) ? text + i + 1 : text;
}

// Reads a size in bytes: a decimal number above 0 with an optional fraction, and an optional factor k, m, g or t
// (powers of 1024). Sets `*behind` to the text after the factor and its unit. The size does not depend on that text.
// Returns false if the text does not begin with such a size. Does not use strtod, because strtod depends on the locale.
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
        skerry_refuse("%s %s: must be a whole number, not below 0", name, text);
    return value;
}

#define HEAP_UNIT (UINT64_C(2) << 20) // bytes of a huge page

uint64_t skerry_heap_bytes_wanted(void) {
    const char *text = variable("SHMEM_SYMMETRIC_SIZE", "SMA_SYMMETRIC_SIZE");
    uint64_t bytes = SKERRY_HEAP_BYTES_DEFAULT;
    const char *behind = "";
    if (text && !parse_size(text, &bytes, &behind))
        skerry_refuse("SHMEM_SYMMETRIC_SIZE %s: not a size (a number above 0, then k, m, g or t)", text);
    if (*behind)
        skerry_say("SHMEM_SYMMETRIC_SIZE %s: taken as %llu bytes; the characters after the factor are ignored", text,
                   (unsigned long long)bytes);
    bytes = (bytes + HEAP_UNIT - 1) / HEAP_UNIT * HEAP_UNIT;
    if (bytes > SKERRY_HEAP_BYTES_MAX)
        skerry_refuse("SHMEM_SYMMETRIC_SIZE %s: a PE's symmetric heap holds at most %llu MB", text,
                      (unsigned long long)SKERRY_HEAP_BYTES_MAX >> 20);
    return bytes;
}

static bool is_blank(char letter) {
    return letter == ' ' || (letter >= '\t' && letter <= '\r');
}

// Returns true if the text is `word`, in upper or lower case, followed by blanks only.
static bool is_word(const char *text, const char *word) {
    size_t length = strlen(word);
    if (strncasecmp(text, word, length) != 0) return false;
    for (text += length; is_blank(*text);) text++;
    return !*text;
}

int skerry_word_setting(const char *name, const char *const *words, int count, const char *rule) {
    const char *text = getenv(name), *first = text;
    while (first && is_blank(*first)) first++;
    if (!first || !*first) return -1;
    for (int i = 0; i < count; i++)
        if (is_word(first, words[i])) return i;
    skerry_refuse("%s %s: must be %s", name, text, rule);
}

long skerry_number_setting(const char *name, long otherwise, long most) {
    long value = skerry_whole_number(name, otherwise);
    if (value > most) skerry_refuse("%s %ld: must be at most %ld", name, value, most);
    return value;
}

bool skerry_huge_pages_wanted(void) {
    static const char *const words[] = {"0", "no", "off", "false", "1", "yes", "on", "true"};
    return skerry_word_setting("SKERRY_HUGE_PAGES", words, 8, "0 or 1") >= 4;
}

void skerry_print_environment(void) {
    if (variable("SHMEM_VERSION", "SMA_VERSION"))
        printf("Skerry %s, OpenSHMEM 1.6, Linux, up to %d PEs\n", SKERRY_VERSION, SKERRY_PES_MAX);
    if (variable("SHMEM_INFO", "SMA_INFO"))
        printf(
            "SHMEM_SYMMETRIC_SIZE=BYTES[k|m|g|t]  symmetric heap of each PE (now %llu bytes)\n"
            "SHMEM_VERSION=any                    print the version at start-up\n"
            "SHMEM_INFO=any                       print this text\n"
            "SHMEM_DEBUG=any                      print what the library finds out about the machine\n"
            "SKERRY_CHECK=0|1|strict              check every call that is not inlined; strict: warnings are errors\n"
            "SKERRY_RPC_DEPTH=N                   calls that may wait at a PE, 0 to 1024 (64 unless set)\n"
            "SKERRY_ATTENTION=WORD                how a PE that computes serves calls: signal, thread or none\n"
            "SKERRY_TUNING=NAME=VALUE...          values in place of those measured on this processor; none: built-in "
            "values\n"
            "SMA_* are older spellings of SHMEM_*\n",
            (unsigned long long)skerry_facts.heap_bytes);
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
