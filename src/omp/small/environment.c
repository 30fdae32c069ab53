// SPDX-License-Identifier: BSD-3-Clause
// Reads OMP_NUM_THREADS and OMP_SCHEDULE, and writes warnings. If a value is invalid, the runtime writes one line and ignores
// the value. Lies in external memory, because it seldom runs.
#include "small.h"

// -- Reading -----------------------------------------------------------------------------------------------------------

// Each function below reads a part of a value, which begins at `*text` and can have blanks around it, and moves `*text`
// behind it. It returns false if there is no such part.
static void skip_blanks(const char **text) {
    while (**text == ' ' || (**text >= '\t' && **text <= '\r')) ++*text;
}

static bool read_character(const char **text, char character) {
    skip_blanks(text);
    if (**text != character) return false;
    ++*text;
    skip_blanks(text);
    return true;
}

static bool read_word(const char **text, const char *word) {
    skip_blanks(text);
    const char *at = *text;
    for (; *word; at++, word++)
        if ((*at | 0x20) != *word) return false;
    if ((*at | 0x20) >= 'a' && (*at | 0x20) <= 'z') return false; // a longer word
    *text = at;
    skip_blanks(text);
    return true;
}

// Reads a number of at most INT32_MAX.
static bool read_number(const char **text, uint32_t *number) {
    skip_blanks(text);
    const char *const begin = *text;
    uint64_t value = 0;
    for (; **text >= '0' && **text <= '9'; ++*text) {
        value = (value << 3) + (value << 1) + (uint64_t)(**text - '0');
        if (value > INT32_MAX) return false;
    }
    *number = (uint32_t)value;
    return *text != begin;
}

// Reads a list of numbers of threads for nested regions. Only the first number is used, because nested regions have one
// thread.
static bool read_threads(const char **text, struct omp_settings *settings) {
    uint32_t number;
    if (!read_number(text, &settings->threads) || settings->threads == 0) return false;
    while (read_character(text, ','))
        if (!read_number(text, &number) || number == 0) return false;
    return true;
}

static bool read_schedule(const char **text, struct omp_settings *settings) {
    if ((read_word(text, "monotonic") || read_word(text, "nonmonotonic")) && !read_character(text, ':')) return false;
    static const char *const names[] = {"static", "dynamic", "guided", "auto"};
    uint32_t name = 0, chunk = 0;
    while (name < 4 && !read_word(text, names[name])) name++;
    if (name == 4) return false;
    if (read_character(text, ',') && !read_number(text, &chunk)) return false;
    settings->schedule = OMP_STATIC + name;
    settings->chunk = chunk;
    return true;
}

static void read_variable(const char *name, bool (*read)(const char **, struct omp_settings *), const char *rule) {
    const char *const value = skerry_environment(name), *text = value;
    if (!value) return;
    struct omp_settings settings = skerry_omp_settings;
    if (read(&text, &settings) && (skip_blanks(&text), *text == '\0')) {
        skerry_omp_settings = settings;
        return;
    }
    skerry_print_line(
        (const char *const[]){"Invalid value for environment variable ", name, ": '", value, "' is not ", rule, NULL});
}

void skerry_omp_begin(void) {
    const uint32_t cores = (uint32_t)skerry_pe_count();
    if (cores > OMP_THREADS_MAX) skerry_stop("a program can run on 1 to 64 cores: oshrun -n NUMBER chooses how many");
    skerry_omp_settings = (struct omp_settings){.threads = cores, .schedule = OMP_DYNAMIC, .chunk = 1};
    read_variable("OMP_NUM_THREADS", read_threads, "a list of positive numbers");
    read_variable("OMP_SCHEDULE", read_schedule,
                  "of the form [monotonic:|nonmonotonic:]static|dynamic|guided|auto[,chunk]");
}

// -- Warnings ----------------------------------------------------------------------------------------------------------

// Writes a number into a text of 11 bytes, and returns the text. The core has no division, so this function finds the digits
// by subtractions. (skerry_omp_divide is in loop.c, which not every program contains.)
static const char *write_number(char *text, uint32_t number) {
    static const uint32_t powers[] = {1000000000, 100000000, 10000000, 1000000, 100000, 10000, 1000, 100, 10, 1};
    char *at = text;
    for (uint32_t i = 0; i < sizeof powers / sizeof *powers; i++) {
        char digit = '0';
        for (; number >= powers[i]; number -= powers[i]) digit++;
        if (at != text || digit != '0' || powers[i] == 1) *at++ = digit;
    }
    *at = '\0';
    return text;
}

// Only the first thread starts regions of several threads, so the word of its own memory is enough.
void skerry_omp_warn_of_fewer(uint32_t wanted) {
    char room[2][11];
    skerry_omp_self.has_warned = true;
    const char *const cores = write_number(room[0], (uint32_t)skerry_pe_count());
    const bool is_one = skerry_pe_count() == 1;
    skerry_print_line((const char *const[]){
        "a parallel region has ", cores, is_one ? " thread" : " threads", " instead of ", write_number(room[1], wanted),
        ", because each core runs one thread, and the program has ", cores, is_one ? " core" : " cores", NULL});
}

void skerry_omp_warn_of_nesting(void) {
    static volatile uint32_t warned SKERRY_SHARED_WORD;
    if (skerry_test_and_set(&warned) != 0) return;
    skerry_print_line(
        (const char *const[]){"omp_set_max_active_levels and omp_set_nested have no effect on this machine, where "
                              "nested regions have one thread",
                              NULL});
}
