// SPDX-License-Identifier: BSD-3-Clause
// What the parts of skerry-tune share: a clock, a limit on all of it, and remarks for people.
#ifndef SKERRY_MACHINE_LINUX_TUNE_TUNE_H
#define SKERRY_MACHINE_LINUX_TUNE_TUNE_H

#include <stdbool.h>
#include <stddef.h>

#include "../tuning.h"

// Nanoseconds of a steady clock.
double tune_now(void);

// Whether the time for measuring is used up: what is not known by then stays as guessed.
bool tune_is_late(void);

// Appends a line to what is printed and kept beside the values, printf-like.
void tune_remark(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Measures and fills in its part of `tuning`, which holds the guess.
void tune_copies(struct skerry_copy_choice *choice);
void tune_queues(struct skerry_tuning *tuning);

#endif
