// SPDX-License-Identifier: BSD-3-Clause
// Reads OMP_NUM_THREADS and OMP_SCHEDULE. Lies in external memory, because it runs once.
#include "small.h"

static bool equals(const char *text, const char *word) {
    for (; *word; text++, word++)
        if ((*text | 0x20) != *word) return false;
    return true;
}

// Returns the number at the begin of the text, at most `most`. Returns 0 if there is none.
static unsigned long number(const char *text, unsigned long most) {
    unsigned long value = 0;
    while (*text == ' ') text++;
    for (; *text >= '0' && *text <= '9'; text++) {
        value = (value << 3) + (value << 1) + (unsigned long)(*text - '0');
        if (value > most) value = most;
    }
    return value;
}

void skerry_omp_begin(void) {
    struct omp_settings *settings = &skerry_omp_settings;
    const char *text = skerry_environment("OMP_NUM_THREADS");
    const uint32_t cores = (uint32_t)skerry_pe_count();
    settings->threads = text ? (uint32_t)number(text, OMP_THREADS_MAX) : cores;
    if (settings->threads == 0) skerry_stop("OMP_NUM_THREADS: must be a positive number");
    if (settings->threads > cores) settings->threads = cores;
    if (cores > OMP_THREADS_MAX) skerry_stop("a program can run on 1 to 64 cores: oshrun -n NUMBER chooses how many");
    settings->schedule = OMP_DYNAMIC;
    settings->chunk = 1;
    text = skerry_environment("OMP_SCHEDULE");
    if (!text) return;
    static const char *const modifiers[] = {"monotonic:", "nonmonotonic:"};
    if (equals(text, modifiers[0])) text += 10;
    else if (equals(text, modifiers[1])) text += 13;
    static const char *const names[] = {"static", "dynamic", "guided", "auto"};
    for (uint32_t i = 0; i < 4; i++) {
        if (!equals(text, names[i])) continue;
        settings->schedule = OMP_STATIC + i;
        while (*text && *text != ',') text++;
        settings->chunk = *text ? number(text + 1, INT32_MAX) : 0;
        return;
    }
    skerry_stop("OMP_SCHEDULE: must be static, dynamic, guided or auto, and possibly a comma and a chunk size");
}
