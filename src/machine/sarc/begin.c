// SPDX-License-Identifier: BSD-3-Clause
// Begins and ends the job on cores that have memories of their own. Each core finds out its number in the job, and
// copies the initial values of the thread-local variables to its own memory. The first core then initialises the C
// library and calls main. All other cores wait until they get a function to run (worker.c).
#include "internal.h"

#include <string.h>

int skerry_cores_of_job = 1;

// The linker script defines these symbols. Their addresses are, in this order: the beginning and the end of the initial
// values of the thread-local variables, the size of all thread-local variables, and the address of the first core's
// memory.
extern const char skerry_tls_begin[], skerry_tls_initialized[], skerry_tls_size[], __skerry_master[];

static void check_job(uint32_t own_memory) {
    if (skerry_job.cores == 0 || skerry_job.cores > SKERRY_WORKERS_MAX)
        skerry_stop("skerry: this program can run on 1 to 64 cores, and needs the job's description that oshrun "
                    "writes: start it with oshrun --machine");
    if (own_memory != (uint32_t)(uintptr_t)__skerry_master)
        skerry_stop("skerry: the program is linked for another first core: --cores must begin with the first core of "
                    "the machine that oshcc --machine named");
}

static int find_place(uint32_t own_memory) {
    uint32_t place = 0;
    while (skerry_core_number(place) << SKERRY_PARTITION_SHIFT != own_memory) place++;
    return (int)place;
}

// Begins the job on the calling core: start.S jumps to this function. `variables` is the global address of this core's
// thread-local variables. `own_memory` is the global address of this core's memory.
SKERRY_NORETURN void skerry_begin(char *variables, uint32_t own_memory);
SKERRY_NORETURN void skerry_begin(char *variables, uint32_t own_memory) {
    const size_t initialized = (size_t)(skerry_tls_initialized - skerry_tls_begin), size = (size_t)skerry_tls_size;
    memcpy(variables, skerry_tls_begin, initialized);
    memset(variables + initialized, 0, size - initialized);
    const bool is_first = skerry_job.cores == 0 || own_memory == skerry_core_number(0) << SKERRY_PARTITION_SHIFT;
    if (is_first) check_job(own_memory);
    skerry_worker_number = find_place(own_memory);
    skerry_begin_events();
    skerry_begin_copies();
    if (is_first) {
        skerry_cores_of_job = (int)skerry_job.cores;
        skerry_run_main();
    }
    skerry_worker_loop();
}

SKERRY_NORETURN void _exit(int status);
SKERRY_NORETURN void _exit(int status) {
    skerry_end_job(status);
}
