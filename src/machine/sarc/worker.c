// SPDX-License-Identifier: BSD-3-Clause
// Runs the workers, one on each core. Worker n is the only thread of core n of the job. The worker polls the word
// `start` in its own memory until another core gives it a function to run. When the function has returned, the worker
// polls again.
//
// For each worker a word `busy` in the memory of the first core says whether the worker is free. A core that wants to
// start a worker sets this word by an atomic exchange. So only one core gets the worker.
#include "internal.h"

SKERRY_PER_THREAD int skerry_worker_number;

// For each worker: 1 while the worker runs a function or is claimed for one. 0: the worker is free. Worker 0 runs main,
// so it is never free.
static uint32_t busy[SKERRY_WORKERS_MAX] = {1};

// Number of the worker that the calling core has claimed for its next skerry_worker_start; 0: none.
static SKERRY_PER_THREAD int claimed;

extern struct skerry_core skerry_own_core; // sarc.ld; at the same offset in each core

struct skerry_core *skerry_core_at(int place) {
    const uintptr_t memory = (uintptr_t)skerry_core_number((uint32_t)place) << SKERRY_PARTITION_SHIFT;
    return (struct skerry_core *)(memory | (uintptr_t)&skerry_own_core);
}

// Claims a free worker. Returns its number, or -1 if there is none.
static int claim(void) {
    for (int i = 1; i < skerry_cores_of_job; i++) {
        if (__atomic_load_n(&busy[i], __ATOMIC_RELAXED)) continue;
        if (!__atomic_exchange_n(&busy[i], 1, __ATOMIC_ACQUIRE)) return i;
    }
    return -1;
}

int skerry_worker_next(void) {
    if (claimed == 0) claimed = claim();
    return claimed;
}

// Stores `main`, `argument` and then `start` to the struct skerry_core of the worker's core. These three stores arrive
// in order, because they go to one memory. The data to which `argument` points can be in another memory, and must
// arrive before `start`. So the store of `start` is a release.
int skerry_worker_start(skerry_worker_main *main, void *argument) {
    const int number = skerry_worker_next();
    claimed = 0;
    if (number < 0) return SKERRY_NO_CORE;
    struct skerry_core *core = skerry_core_at(number);
    const uint32_t start = core->start + 1;
    core->main = main;
    core->argument = argument;
    __atomic_store_n(&core->start, start, __ATOMIC_RELEASE);
    return number;
}

void skerry_worker_loop(void) {
    struct skerry_core *own = &skerry_own_core;
    for (uint32_t start = 1;; start++) {
        while (__atomic_load_n(&own->start, __ATOMIC_ACQUIRE) != start) {
        }
        own->main(own->argument);
        __atomic_store_n(&busy[skerry_worker_number], 0, __ATOMIC_RELEASE);
    }
}

void skerry_worker_adopt(void (*ends)(void)) {
    // Only worker 0, which runs main, is a thread that the runtime did not start. The end of this thread ends the
    // program, so `ends` is not called.
    (void)ends;
}

void skerry_worker_is_idle(bool rests) {
    (void)rests;
}

// The linker script sets the size of the stacks, so OMP_STACKSIZE can only be checked.
bool skerry_worker_stack(size_t bytes) {
    if (bytes > (size_t)__skerry_stack_bytes)
        skerry_warn("libgomp: OMP_STACKSIZE has no effect on this machine: the linker sets the size of the stacks, by "
                    "-Wl,--defsym=__skerry_stack_bytes=BYTES");
    return true;
}

// -- Places: a worker stays on its core --------------------------------------------------------------------------------

const char *skerry_host_name(void) {
    return "sarc";
}

const int *skerry_processor_numbers(void) {
    static int numbers[SKERRY_WORKERS_MAX];
    for (int i = 0; i < SKERRY_WORKERS_MAX; i++) numbers[i] = i;
    return numbers;
}
