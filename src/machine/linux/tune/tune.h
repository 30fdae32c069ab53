// SPDX-License-Identifier: BSD-3-Clause
// What the parts of skerry-tune share: a clock, a limit on all of it, and remarks for people.
#ifndef SKERRY_MACHINE_LINUX_TUNE_TUNE_H
#define SKERRY_MACHINE_LINUX_TUNE_TUNE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "../tuning.h"

// Nanoseconds of a steady clock.
double tune_now(void);

// Whether the time for measuring is used up: what is not known by then stays as guessed.
bool tune_is_late(void);

// Appends a line to what is printed and kept beside the values, printf-like.
void tune_remark(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Finds two processors on different cores that this process may use. Returns false if there are none.
bool tune_find_two_processors(void);

// Puts the calling thread on one of them and `other` on the other one; and allows the calling thread all processors again.
void tune_pin(pthread_t other);
void tune_unpin(void);

// A number to choose by what two threads do together.
struct tune_choice {
    const char *name;
    uint32_t *setting; // the guess, then the choice
    const uint32_t *candidates;
    int count;   // of candidates, at most 8, the guess among them
    int batches; // of each candidate, in turn
    void (*use)(uint32_t candidate);
    double (*measure)(void); // a batch; returns nanoseconds of one operation, described by `unit`
    const char *unit;
};

// Chooses the candidate with the shortest batch if it is better than the guess by more than measurements vary, and uses it.
void tune_choose(struct tune_choice choice);

// Measures and fills in its part of `tuning`, which holds the guess.
void tune_copies(struct skerry_copy_choice *choice);

// The same, with two threads, which need two processors; between aos_init and aos_finalize.
void tune_polls(struct skerry_tuning *tuning);
void tune_queues(struct skerry_tuning *tuning);

#endif
