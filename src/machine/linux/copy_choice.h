// SPDX-License-Identifier: BSD-3-Clause
// What each processor's folder says of its contiguous copies, for the start of a job, for skerry-tune, and for the tests that force each
// of them. On a processor with nothing to choose from, skerry_copy_loop(0) is NULL and the others do nothing.
#ifndef SKERRY_MACHINE_LINUX_COPY_CHOICE_H
#define SKERRY_MACHINE_LINUX_COPY_CHOICE_H

#include "tuning.h"

#define SKERRY_COPY_PRIVATE __attribute__((visibility("hidden")))

// Uses this choice from now on. Returns false, and changes nothing, if there is no loop of that name or the processor lacks its
// instructions. For one thread, before others copy.
SKERRY_COPY_PRIVATE bool skerry_copy_use(const struct skerry_copy_choice *choice);

// Returns the name of loop number `index` of all that this build has, whether or not the processor can run it; NULL behind the last.
SKERRY_COPY_PRIVATE const char *skerry_copy_loop(unsigned index);

// Fills in what is most likely the best on this processor, judged by its model and caches.
SKERRY_COPY_PRIVATE void skerry_copy_guess(struct skerry_copy_choice *choice);

// Fills in the choice that goes by this name in the variable SKERRY_COPY: a loop's name, or "string". Returns false if there is none.
SKERRY_COPY_PRIVATE bool skerry_copy_named(const char *name, struct skerry_copy_choice *choice);

#endif
