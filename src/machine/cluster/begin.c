// SPDX-License-Identifier: BSD-3-Clause
// Begins and ends the job. Each core first finds out its number in the job. The first core then initialises the C library
// and calls main. All other cores sleep until they get a function to run (worker.c).
#include "internal.h"

int skerry_cores_of_job = 1;

extern const char skerry_main_stack_bytes[]; // cluster.ld; its address is the size

static void check_job(void) {
    if (skerry_job.cores == 0 || skerry_job.cores > SKERRY_WORKERS_MAX)
        skerry_stop(
            "skerry: this program can run on 1 to 32 cores of one cluster, and needs the job's description that "
            "oshrun writes: start it with oshrun --machine");
}

static void run_program(void *unused) {
    (void)unused;
    skerry_run_main();
}

// Sets the addresses by which the cores wake each other. Only the first core may call this, before it starts a worker.
static void find_cores(void) {
    skerry_cores_of_job = (int)skerry_job.cores;
    for (uint32_t i = 0; i < skerry_job.cores; i++) {
        const uintptr_t core = (uintptr_t)skerry_core_number(i) << SKERRY_CORE_SHIFT;
        skerry_cores[i].interrupt = (volatile uint32_t *)(core + SKERRY_INTERRUPT_REGISTER);
    }
}

SKERRY_NORETURN void skerry_begin(void);
SKERRY_NORETURN void skerry_begin(void) {
    const uint32_t own = *(const volatile uint32_t *)SKERRY_PLACE_REGISTER >> SKERRY_CORE_SHIFT;
    check_job();
    uint32_t place = 0;
    while (skerry_core_number(place) != own) place++;
    struct skerry_core *core = &skerry_cores[place];
    if (place == 0) {
        find_cores();
        core->busy = 1;
        core->main = run_program;
        if (!skerry_worker_take_stack(core, (size_t)skerry_main_stack_bytes))
            skerry_stop("skerry: no memory for the stack of main");
        skerry_worker_run(core);
    }
    skerry_worker_loop(core);
}

SKERRY_NORETURN void _exit(int status);
SKERRY_NORETURN void _exit(int status) {
    skerry_end_job(status);
}
