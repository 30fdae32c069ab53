// SPDX-License-Identifier: BSD-3-Clause
// Finds two processors for measurements with two threads, and measures several values of a setting to choose the best
// value.
#define _GNU_SOURCE
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "tune.h"

#define CANDIDATES_MOST 8
#define WORTH_IT 0.1 // smallest gain that replaces the guess: logarithm of a ratio of times, 10 %

static int processors[2]; // on different cores
static cpu_set_t unpinned;

// Returns true if the processors `cpu` and `other` are hardware threads of the same core. The kernel lists the hardware
// threads of a core in a text such as "0,64" or "0-1".
static bool shares_core(int cpu, int other) {
    char path[96], text[256] = "";
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
    FILE *file = fopen(path, "re");
    if (!file) return false;
    char *read = fgets(text, sizeof text, file);
    fclose(file);
    for (char *at = read; at && *at;) {
        char *end;
        long from = strtol(at, &end, 10), to = from;
        if (end == at) return false;
        if (*end == '-') to = strtol(end + 1, &end, 10);
        if (from <= other && other <= to) return true;
        at = *end == ',' ? end + 1 : NULL;
    }
    return false;
}

bool tune_find_two_processors(void) {
    cpu_set_t allowed;
    int first = -1;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return false;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET((size_t)cpu, &allowed)) continue;
        if (first < 0) {
            first = cpu;
        } else if (!shares_core(first, cpu)) {
            processors[0] = first;
            processors[1] = cpu;
            return true;
        }
    }
    return false;
}

static void pin(pthread_t thread, int cpu) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)cpu, &one);
    pthread_setaffinity_np(thread, sizeof one, &one);
}

void tune_pin(pthread_t other) {
    sched_getaffinity(0, sizeof unpinned, &unpinned);
    pin(pthread_self(), processors[0]);
    pin(other, processors[1]);
}

void tune_unpin(void) {
    sched_setaffinity(0, sizeof unpinned, &unpinned);
}

// -- Choosing ----------------------------------------------------------------------------------------------------------

// Stores, for each candidate value of the setting, the nanoseconds of one operation in its shortest batch. Measures the
// candidates in turn, so that other programs disturb all candidates alike.
static void time_candidates(const struct tune_choice *choice, const uint32_t *candidates, int count, double *shortest) {
    for (int i = 0; i < count; i++) shortest[i] = INFINITY;
    for (int batch = 0; batch < choice->batches; batch++)
        for (int i = 0; i < count && !tune_is_late(); i++) {
            choice->use(candidates[i]);
            shortest[i] = fmin(shortest[i], choice->measure());
        }
}

static bool is_worth_it(double guessed, double other) {
    return !tune_is_late() && log(guessed / other) > WORTH_IT;
}

// Measures all candidates, and keeps the guess or the best candidate (tune.h). Another program or the hypervisor
// possibly disturbed the measurement of the guess. Therefore both are measured a second time before the best candidate
// replaces the guess.
void tune_choose(struct tune_choice choice) {
    double shortest[CANDIDATES_MOST], again[2];
    const uint32_t guess = *choice.setting;
    int best = 0, guessed = 0;
    time_candidates(&choice, choice.candidates, choice.count, shortest);
    for (int i = 0; i < choice.count && !tune_is_late(); i++) {
        tune_remark("%s %u: %.1f %s", choice.name, choice.candidates[i], shortest[i], choice.unit);
        if (shortest[i] < shortest[best]) best = i;
        if (choice.candidates[i] == guess) guessed = i;
    }
    if (is_worth_it(shortest[guessed], shortest[best])) {
        time_candidates(&choice, (uint32_t[]){guess, choice.candidates[best]}, 2, again);
        if (is_worth_it(again[0], again[1])) *choice.setting = choice.candidates[best];
    }
    choice.use(*choice.setting);
}
