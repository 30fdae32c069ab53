// SPDX-License-Identifier: BSD-3-Clause
// Implements the program skerry-tune. The program measures the fastest settings on this processor, prints the values,
// and stores them in a file for later jobs. oshrun runs it with --first before the first job on a processor model. With
// --first, skerry-tune takes at most 100 ms and prints nothing. If another process already measures, it ends at once.
#define _GNU_SOURCE
#include "tune.h"

#include <aos.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "../../src/machine/linux/pe/internal.h"
#include "../../src/machine/linux/tuning_file.h"

#define LIMIT_NANOSECONDS 75e6 // limit of measuring; starting and ending take some milliseconds more
#define REMARKS_BYTES 3400     // bytes; values and remarks together must fit into the buffer of skerry_read_tuning
#define BUSY_LEAVINGS 40       // involuntary context switches; above this number other programs count as busy

static double began;
static char remarks[REMARKS_BYTES];

double tune_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

bool tune_is_late(void) {
    return tune_now() - began > LIMIT_NANOSECONDS;
}

void tune_remark(const char *format, ...) {
    size_t length = strlen(remarks);
    va_list values;
    va_start(values, format);
    vsnprintf(remarks + length, sizeof remarks - length, format, values);
    va_end(values);
    length = strlen(remarks);
    if (length + 1 < sizeof remarks) memcpy(remarks + length, "\n", 2);
}

// Writes the guessed values to the file before the measurement, if the file has no values yet. If this process is
// killed, the next job uses the guess and does not start a measurement again. Values that are already in the file stay
// until the new values are known, because another process has possibly just measured them. Returns false if the file
// cannot be written.
static bool keep_guess(const char *path, const struct skerry_tuning *guess) {
    char values[SKERRY_TUNING_TEXT_BYTES];
    if (skerry_read_tuning(path, values)) return true;
    skerry_format_tuning(guess, values);
    return skerry_write_tuning(path, values, "not measured: skerry-tune was interrupted\n");
}

// Locks the folder that contains the file `path`, so that only one process measures. The kernel releases the lock when
// this process ends. Returns false if another process has the lock.
static bool take_folder(const char *path) {
    char folder[SKERRY_TUNING_PATH_BYTES];
    snprintf(folder, sizeof folder, "%s", path);
    int descriptor = open(dirname(folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0;
}

static void measure(struct skerry_tuning *tuning) {
    struct rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    began = tune_now();
    const bool has_two = tune_find_two_processors() && aos_init(0) == AOS_SUCCESS;
    if (has_two) tune_polls(tuning); // takes a few milliseconds; the longer measurements below can use up the time
    tune_copies(&tuning->copy);
    if (has_two) {
        tune_queues(tuning);
        aos_finalize();
    }
    getrusage(RUSAGE_SELF, &after);
    tune_remark("measured in %.0f ms%s", (tune_now() - began) / 1e6,
                after.ru_nivcsw - before.ru_nivcsw > BUSY_LEAVINGS
                    ? ", while other programs used the processor: run \"skerry tune\" again when the machine is idle"
                    : "");
}

static int fail(const char *what, const char *path) {
    fprintf(stderr, "skerry: tune: %s %s: %s\n", what, path, strerror(errno));
    return 1;
}

static const char help[] =
    "Usage: skerry tune [--dry-run]\n"
    "\n"
    "Measures what is best on this processor: the loop that copies, the sizes for string "
    "instructions and non-temporal stores,\n"
    "pauses between polls, queues. Prints it and keeps it for the jobs to come. The first job on a "
    "processor model does the same unasked.\n"
    "\n"
    "  --dry-run  measure and print, but store nothing\n";

int main(int count, char **words) {
    char path[SKERRY_TUNING_PATH_BYTES], values[SKERRY_TUNING_TEXT_BYTES];
    bool first = count == 2 && strcmp(words[1], "--first") == 0, dry = count == 2 && strcmp(words[1], "--dry-run") == 0;
    if (count == 2 && (strcmp(words[1], "--help") == 0 || strcmp(words[1], "-h") == 0)) return fputs(help, stdout) < 0;
    if (count > 1 && !first && !dry) {
        fprintf(stderr, "skerry: tune: %s: no such option (see skerry tune --help)\n", words[1]);
        return 2;
    }
    struct skerry_tuning tuning;
    skerry_guess_tuning(&tuning);
    if (!dry && !skerry_tuning_path(path)) {
        fprintf(stderr, "skerry: tune: no folder to store the values in: none of SKERRY_CACHE, XDG_CACHE_HOME and HOME "
                        "is set to an "
                        "absolute path\n");
        return 1;
    }
    if (!dry && !keep_guess(path, &tuning)) return fail("cannot write", path);
    if (!dry && !take_folder(path) && first) return 0;
    measure(&tuning);
    skerry_format_tuning(&tuning, values);
    if (!dry && !skerry_write_tuning(path, values, remarks)) return fail("cannot write", path);
    if (first) return 0;
    printf("%s%s\n", remarks, values);
    if (!dry) printf("kept in %s\n", path);
    return ferror(stdout) || fflush(stdout) != 0 ? 1 : 0;
}
