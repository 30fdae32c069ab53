// SPDX-License-Identifier: BSD-3-Clause
// The command line of heat.
#pragma once
#include "diffusion.h"

#include <stdint.h>

typedef struct {
    const char *input, *output;
    uint64_t steps;
    uint64_t between_looks; // number of steps between two checks of the largest change
    float tolerance;        // the job ends when no colour changes by more in a step; 0: computes all steps
    Medium medium;
    int check, help;
} Options;

// Reads the arguments into `options`. Returns 0 if they are wrong. In this case also writes an error message to
// standard error if `complain` is set.
int options_read(Options *options, int argc, char **argv, int complain);
void options_help(void);
