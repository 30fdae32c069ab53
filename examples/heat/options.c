// SPDX-License-Identifier: BSD-3-Clause
// Reads the command line of heat. Every PE reads the same arguments, but only one PE reports an error.
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const Options defaults = {
    .steps = 15000, .between_looks = 100, .tolerance = 0, .medium = {.rate = 0.02f, .contrast = 3}, .check = 1};

void options_help(void) {
    puts("usage: oshrun -n PES heat [options] INPUT.png OUTPUT.png\n"
         "Lets the colours of a picture flow like heat that is held up by edges, on any number of PEs.\n"
         "  -n, --steps N        steps to take (15000)\n"
         "  -r, --rate R         time of a step, more than 0 and at most 0.25 (0.02)\n"
         "  -c, --contrast C     colours that differ by more than C of 255, at least 0.01, keep their edge; 0: no "
         "edges (3)\n"
         "  -t, --tolerance T    stop when no colour changes by more than T in a step; 0: never (0)\n"
         "  -k, --look-every N   steps between two looks at the change (100)\n"
         "      --no-check       do not repeat the solve on one PE to compare\n"
         "  -h, --help           this text");
}

static int whole_number(const char *text, uint64_t *number) {
    char *end;
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    *number = (uint64_t)value;
    return errno == 0 && end != text && *end == '\0' && value >= 1 && value <= 1000000000;
}

static int real_number(const char *text, float *number, float largest) {
    char *end;
    *number = strtof(text, &end);
    return end != text && *end == '\0' && isfinite(*number) && *number >= 0 && *number <= largest;
}

static int take(Options *options, int option, const char *value) {
    switch (option) {
    case 'n': return whole_number(value, &options->steps);
    case 'k': return whole_number(value, &options->between_looks);
    case 'r': return real_number(value, &options->medium.rate, 0.25f) && options->medium.rate > 0;
    case 'c':
        return real_number(value, &options->medium.contrast, 1000) &&
               (options->medium.contrast == 0 || options->medium.contrast >= 0.01f);
    case 't': return real_number(value, &options->tolerance, 1000);
    case 'C': options->check = 0; return 1;
    default: options->help = 1; return 1;
    }
}

int options_read(Options *options, int argc, char **argv, int complain) {
    static const struct option names[] = {{"steps", required_argument, NULL, 'n'},
                                          {"rate", required_argument, NULL, 'r'},
                                          {"contrast", required_argument, NULL, 'c'},
                                          {"tolerance", required_argument, NULL, 't'},
                                          {"look-every", required_argument, NULL, 'k'},
                                          {"no-check", no_argument, NULL, 'C'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    *options = defaults;
    opterr = complain;
    int option;
    while ((option = getopt_long(argc, argv, "n:r:c:t:k:h", names, NULL)) != -1) {
        if (option == '?') return 0;
        if (!take(options, option, optarg)) {
            if (complain) fprintf(stderr, "heat: '%s' is out of range; heat --help lists the options\n", optarg);
            return 0;
        }
    }
    if (options->help) return 1;
    if (argc - optind != 2) {
        if (complain) fprintf(stderr, "heat: give the picture to read and the one to write; heat --help says more\n");
        return 0;
    }
    options->input = argv[optind];
    options->output = argv[optind + 1];
    return 1;
}
