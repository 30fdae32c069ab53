// SPDX-License-Identifier: BSD-3-Clause
// Declares what the parts of skerry-tune share: a clock, a limit on the time of all measurements, and remarks (lines
// for the user beside the measured values).
#ifndef SKERRY_MACHINE_LINUX_TUNE_TUNE_H
#define SKERRY_MACHINE_LINUX_TUNE_TUNE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "../../src/machine/linux/tuning.h"

// Returns the nanoseconds of a monotonic clock.
double tune_now(void);

// Returns true if the time for measuring is used up. A value that was not measured by then stays as guessed.
bool tune_is_late(void);

// Appends a line to the remarks, which are printed and kept in the file with the measured values. Takes arguments like
// printf.
void tune_remark(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Finds two processors on different cores that this process is allowed to use. Returns false if there are none.
bool tune_find_two_processors(void);

// tune_pin binds the calling thread to the first of the two processors that tune_find_two_processors found, and the
// thread `other` to the second. tune_unpin allows the calling thread all of its earlier processors again.
void tune_pin(pthread_t other);
void tune_unpin(void);

// A setting whose value is chosen by measuring an operation of two threads.
struct tune_choice {
    const char *name;
    uint32_t *setting; // the guess; tune_choose stores its choice here
    const uint32_t *candidates;
    int count;   // number of candidates, at most 8; the guess is among them
    int batches; // number of batches of each candidate; the candidates are measured in turn
    void (*use)(uint32_t candidate);
    double (*measure)(void); // runs a batch and returns the nanoseconds of one operation
    const char *unit;
};

// Chooses the best candidate: the one with the shortest batch. If the best candidate is not better than the guess by
// more than the usual differences between two measurements, chooses the guess. At the end calls `use` with the chosen
// value.
void tune_choose(struct tune_choice choice);

// Measures copies, and stores the best values in `choice`, which holds guessed values at first.
void tune_copies(struct skerry_copy_choice *choice);

// tune_polls measures waits, and tune_queues measures queues. Both store the best values in their part of `tuning`,
// which holds guessed values at first. Both measure with two threads, so two processors are needed. Called between
// aos_init and aos_finalize.
void tune_polls(struct skerry_tuning *tuning);
void tune_queues(struct skerry_tuning *tuning);

#endif
