// SPDX-License-Identifier: BSD-3-Clause
// Finds out whether other programs compute on this machine, by comparing two numbers of threads (../runnable.h): the
// threads of the machine that can run, and the threads of this process that can run.
#include "../runnable.h"
#include "internal.h"

bool skerry_others_compute(void) {
    long runnable = skerry_runnable_threads();
    int32_t own = __atomic_load_n(&skerry_worker_facts.awake, __ATOMIC_RELAXED) -
                  __atomic_load_n(&skerry_worker_facts.sleepers, __ATOMIC_RELAXED);
    return runnable <= 0 || runnable > own;
}
