// SPDX-License-Identifier: BSD-3-Clause
// Declares functions that choose how this process copies contiguous memory. The processor's folder in ../arch/ has
// several copy loops, and implements these functions. The start of a job (tuning_choice.c), skerry-tune, and the tests
// of the copy loops call them. On a processor with only one loop, skerry_copy_loop(0) is NULL and the other functions
// choose nothing.
#ifndef SKERRY_MACHINE_LINUX_COPY_CHOICE_H
#define SKERRY_MACHINE_LINUX_COPY_CHOICE_H

#include "../tuning.h"

#define SKERRY_COPY_PRIVATE __attribute__((visibility("hidden")))

// Makes all later copies of this process use this choice. Returns false, and changes nothing, if no loop has the name
// `choice->loop` or the processor lacks the loop's instructions. Called by one thread, before any other thread copies.
SKERRY_COPY_PRIVATE bool skerry_copy_use(const struct skerry_copy_choice *choice);

// Returns the name of loop number `index` among all loops of this build. The processor possibly cannot run this loop.
// Returns NULL if `index` is not below the number of loops.
SKERRY_COPY_PRIVATE const char *skerry_copy_loop(unsigned index);

// Fills in the choice that is most likely the best on this processor, judged by its model and caches.
SKERRY_COPY_PRIVATE void skerry_copy_guess(struct skerry_copy_choice *choice);

// Fills in the choice for a value of the variable SKERRY_COPY: the name of a loop, or "string". Returns false if no
// choice has that name.
SKERRY_COPY_PRIVATE bool skerry_copy_named(const char *name, struct skerry_copy_choice *choice);

#endif
