// SPDX-License-Identifier: BSD-3-Clause
// Declares the functions that decide how long a thread polls before it sleeps (its spin budget), and whether it is
// allowed to yield. The right times are not known in advance. So each thread adapts them to its own waits. Used by the
// waits of PEs (pe/wait.c) and of OpenMP's threads (threads/wait.c).
#ifndef SKERRY_MACHINE_LINUX_SPIN_BUDGET_H
#define SKERRY_MACHINE_LINUX_SPIN_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#include "../machine.h"

// Returns the time of the monotonic clock in nanoseconds.
SKERRY_PRIVATE uint64_t skerry_nanoseconds(void);

// Returns the spin budget (how long to poll before a sleep), in nanoseconds, of a wait that begins at the time `now` of
// the clock. Called only if there is a processor for each awake thread.
SKERRY_PRIVATE uint32_t skerry_spin_budget(uint64_t now);

// Adapts the spin budget of the calling thread to a wait that has ended. The wait began at the time `began` of the
// clock, with a budget of `budget` nanoseconds. It polled for about `polled` nanoseconds.
SKERRY_PRIVATE void skerry_spin_budget_learn(uint64_t began, uint64_t polled, uint32_t budget);

// Returns true if the next wait of the calling thread is allowed to yield. Called once for each wait while more threads
// are awake than there are processors.
SKERRY_PRIVATE bool skerry_may_yield(void);

// Allows yields again at once. Called if no other program uses the processors any longer.
SKERRY_PRIVATE void skerry_allow_yields(void);

// Adapts later waits to a yield that has ended. `went_to_others` is true if the yield gave the processor to another
// program that computes. In this case the next waits do not yield.
SKERRY_PRIVATE void skerry_learn_from_yield(bool went_to_others);

#define SKERRY_SLICE_NANOSECONDS 1500000 // a yield that lasts longer cost a time slice: another thread computed

struct skerry_yield {
    uint64_t took;   // length of the yield in nanoseconds
    uint64_t worked; // nanoseconds from the end of this thread's last yield to this yield
};

// Yields the processor. `before` is the time of the clock, in nanoseconds, just before the call.
SKERRY_PRIVATE struct skerry_yield skerry_yield_timed(uint64_t before);

#endif
