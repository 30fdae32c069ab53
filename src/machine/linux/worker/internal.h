// SPDX-License-Identifier: BSD-3-Clause
// What the files of this machine share.
#ifndef SKERRY_MACHINE_LINUX_WORKER_INTERNAL_H
#define SKERRY_MACHINE_LINUX_WORKER_INTERNAL_H

#include "machine.h"

#include "../../contract_workers.h"

bool skerry_fence_everywhere(void);
void skerry_prepare_waiting(void);
void skerry_find_processors(void);
void skerry_watch_stack(void); // of the calling worker
void skerry_forget_stack(void);
bool skerry_is_worker(int number);
void skerry_worker_is_awake(int number); // one that had said that it rests is woken

// Returns true if another program computes on this machine, or if that is not known.
bool skerry_others_compute(void);

// deadlock.c: by a worker before each sleep.
bool skerry_is_deadlock_watched(void);
void skerry_look_for_deadlock(const struct skerry_pause *pause);

#endif
