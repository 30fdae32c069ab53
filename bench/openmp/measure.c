// SPDX-License-Identifier: BSD-3-Clause
// Times a test in batches of many turns. The number of turns is doubled until a batch is long compared with the cost of
// reading the clock. Then batches with this number of turns are repeated until the time of the measurement is used.
#define _GNU_SOURCE
#include "measure.h"

#include "work.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { batches_max = 4096, batches_min = 3 };

int threads;
double measure_clock;
static double seconds = 0.05, batch_seconds = 1e-3;
static char **names;
static int name_count;
static double samples[batches_max];

double measure_now(void) {
    return work_now();
}

void do_work(void) {
    work();
}

static _Noreturn void refuse(const char *program, const char *word) {
    fprintf(stderr, "%s: %s: use: [--seconds S] [--batch S] [NAME...]\n", program, word);
    exit(2);
}

static void read_options(int count, char **words) {
    int i = 1;
    for (; i + 1 < count && words[i][0] == '-'; i += 2) {
        double *value = strcmp(words[i], "--seconds") == 0 ? &seconds
                        : strcmp(words[i], "--batch") == 0 ? &batch_seconds
                                                           : NULL;
        if (!value || !((*value = atof(words[i + 1])) > 0)) refuse(words[0], words[i]);
    }
    if (i < count && words[i][0] == '-') refuse(words[0], words[i]);
    names = words + i;
    name_count = count - i;
}

// Prints the path of the OpenMP library that the dynamic linker found.
static void print_implementation(void) {
    Dl_info information;
    void *function = dlsym(RTLD_DEFAULT, "omp_get_num_threads");
    bool known = function && dladdr(function, &information) && information.dli_fname;
    char *path = known ? realpath(information.dli_fname, NULL) : NULL;
    printf("implementation %s\n", path ? path : "unknown");
    fflush(stdout);
    free(path);
}

// Sets measure_clock, the time in ns of one call of measure_now. Uses the shortest of some batches, because the other
// batches were possibly interrupted.
static void measure_own_clock(void) {
    enum { batches = 20, looks = 500 };
    for (int i = 0; i < batches; i++) {
        const double began = measure_now();
        for (int k = 0; k < looks; k++) measure_now();
        const double clock = (measure_now() - began) / (looks + 1);
        if (i == 0 || clock < measure_clock) measure_clock = clock;
    }
}

void measure_begin(int argument_count, char **arguments) {
    read_options(argument_count, arguments);
    work_calibrate();
    measure_own_clock();
    print_implementation();
}

bool measure_wanted(const char *name) {
    for (int i = 0; i < name_count; i++)
        if (strcmp(names[i], name) == 0) return true;
    return name_count == 0;
}

static int ascending(const void *left, const void *right) {
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void print_result(const struct measurement *m, int count) {
    double sum = 0, squares = 0;
    for (int i = 0; i < count; i++) sum += samples[i];
    for (int i = 0; i < count; i++) squares += (samples[i] - sum / count) * (samples[i] - sum / count);
    qsort(samples, (size_t)count, sizeof *samples, ascending);
    const double middle = count % 2 ? samples[count / 2] : (samples[count / 2 - 1] + samples[count / 2]) / 2;
    printf("result %s %d %ld %.6g ns %.6g %.6g %d %.6g %.6g\n", m->name, threads, m->parameter, middle,
           samples[count / 4], samples[count - 1 - count / 4], count, sum / count, sqrt(squares / count));
    fflush(stdout);
}

// Runs a batch: repeats the operation `count` times. Returns the measured time in ns. The measured time is less than
// the elapsed time if m->timed measures only a part of each repetition. Stores the elapsed time in `*whole`, in ns.
static double batch(const struct measurement *m, long count, double *whole) {
    const double began = measure_now();
    double part = 0;
    if (m->timed) part = m->timed(count);
    else m->test(count);
    *whole = measure_now() - began;
    return m->timed ? part : *whole;
}

// Returns a number of turns for which three batches in a row were long enough. Two batches are enough if they lasted 50
// times as long as necessary. One long batch is not enough, because an interrupt possibly lengthened it.
static long calibrate(const struct measurement *m) {
    const double least = batch_seconds * 1e9;
    long turns = 1;
    for (int long_enough = 0; long_enough < 3 && turns < 1L << 40;) {
        double took;
        batch(m, turns, &took);
        long_enough = took >= 50 * least ? long_enough + 2 : took >= least ? long_enough + 1 : 0;
        if (long_enough == 0) turns *= 2;
    }
    return turns;
}

void measure(struct measurement m) {
    if (!measure_wanted(m.name)) return;
    const double operations = m.operations > 0 ? m.operations : 1;
    const long turns = calibrate(&m);
    const double began = measure_now();
    int count = 0;
    bool right = true;
    double whole;
    for (double spent = 0; count < batches_max && (spent < seconds * 1e9 || (count < batches_min && spent < 3e8));
         spent = measure_now() - began) {
        samples[count++] = (batch(&m, turns, &whole) / (double)turns - m.works * work_nanoseconds) / operations;
        if (m.right) right = m.right() && right;
    }
    if (right) print_result(&m, count);
    else printf("wrong %s %d %ld\n", m.name, threads, m.parameter);
}
