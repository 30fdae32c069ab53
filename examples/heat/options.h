// SPDX-License-Identifier: BSD-3-Clause
// The command line of heat.
#pragma once
#include "diffusion.h"

#include <stdint.h>

typedef struct {
    const char *input, *output;
    uint64_t steps;
    uint64_t between_looks; // steps between two looks at the largest change
    float tolerance;        // a picture that changes by no more in a step has come to rest; 0 takes all steps
    Medium medium;
    int check, help;
} Options;

// Returns 0 if the arguments make no sense, after a line on standard error if `complain`.
int options_read(Options *options, int argc, char **argv, int complain);
void options_help(void);
