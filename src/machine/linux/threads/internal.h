// SPDX-License-Identifier: BSD-3-Clause
// Declares what the files of this folder (the machine of OpenMP threads) share.
#ifndef SKERRY_MACHINE_LINUX_WORKER_INTERNAL_H
#define SKERRY_MACHINE_LINUX_WORKER_INTERNAL_H

#include "machine.h"

#include "../../contract/workers.h"

bool skerry_fence_everywhere(void);
void skerry_prepare_waiting(void);
void skerry_find_processors(void);
void skerry_watch_stack(void);  // from now on an overflow of the calling worker's stack causes a message (overflow.c)
void skerry_forget_stack(void); // ends the effect of skerry_watch_stack; called before the worker ends
bool skerry_is_worker(int number);
void skerry_worker_is_awake(int number); // called when the worker is woken: counts it as awake again if it rested

// Returns true if another program computes on this machine, or if this is not known (others.c).
bool skerry_others_compute(void);

// A worker calls these two functions of deadlock.c before each sleep. skerry_look_for_deadlock checks whether all
// workers wait for each other.
bool skerry_is_deadlock_watched(void);
void skerry_look_for_deadlock(const struct skerry_pause *pause);

#endif
