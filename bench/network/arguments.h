// SPDX-License-Identifier: BSD-3-Clause
// Reads the arguments of the programs that measure figures: [--rounds N] [NAME...].
#ifndef SKERRY_BENCH_NETWORK_ARGUMENTS_H
#define SKERRY_BENCH_NETWORK_ARGUMENTS_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char **wanted_names;
static int wanted_count;

// Returns the number of rounds. Ends the program with an error message if an argument is wrong.
static int read_arguments(const char *program, int count, char **arguments, int rounds_most,
                          bool (*is_figure)(const char *name)) {
    int rounds = 41, first = 1;
    if (count > 2 && strcmp(arguments[1], "--rounds") == 0) {
        rounds = atoi(arguments[2]);
        first = 3;
    }
    for (int i = first; i < count; i++) {
        if (is_figure(arguments[i])) continue;
        fprintf(stderr, "%s: %s: no such figure\n", program, arguments[i]);
        exit(2);
    }
    if (rounds < 1 || rounds > rounds_most) {
        fprintf(stderr, "%s: --rounds: must be 1 to %d\n", program, rounds_most);
        exit(2);
    }
    wanted_names = arguments + first;
    wanted_count = count - first;
    return rounds;
}

// Returns true if the arguments name the figure, or no figure.
static bool is_wanted(const char *name) {
    for (int i = 0; i < wanted_count; i++)
        if (strcmp(name, wanted_names[i]) == 0) return true;
    return wanted_count <= 0;
}

#endif
