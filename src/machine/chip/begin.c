// SPDX-License-Identifier: BSD-3-Clause
// Sets up a core before main. Reads the rank of this core and the address of every PE's memory from the job
// description, which the loader has written. Does not clear .bss, because a core that started earlier can already have
// stored data in this core's .bss.
#include "begin.h" // the machine's
#include "chip.h"

struct skerry_facts skerry_facts;

// The job description (layout.h). The loader fills it before any core starts. It lies in .data and not in .bss, so that
// every program's file contains it.
struct skerry_job_description skerry_job = {.pes = 0};

static uint32_t core_of(int pe, uint32_t *row_and_column) {
    const struct skerry_job_description *job = &skerry_job;
    if (job->cores) return job->cores[pe];
    uint32_t core = *row_and_column;
    bool row_ends = (core & 63) - (job->first_core & 63) + 1 == job->columns;
    *row_and_column = row_ends ? core + 64 - (job->columns - 1) : core + 1;
    return core;
}

// Finds this core's rank, and the address of every PE's memory. If the loader has written no job description, this core
// is a job of one PE. `own` is the number of this core.
static void find_place(uint32_t own) {
    if (skerry_job.pes == 0) {
        skerry_job.pes = skerry_job.columns = 1;
        skerry_job.first_core = own;
        skerry_job.cores = 0;
    }
    uint32_t next = skerry_job.first_core;
    skerry_facts.pe_count = (int32_t)skerry_job.pes;
    for (int pe = 0; pe < skerry_facts.pe_count; pe++) {
        uint32_t core = core_of(pe, &next);
        skerry_partitions[pe] = core << SKERRY_PARTITION_SHIFT;
        if (core == own) skerry_facts.my_pe = pe;
    }
}

typedef void (*initializer)(void);
extern const initializer __init_array_start[], __init_array_end[];
int main(int argc, char **argv, char **environ);

SKERRY_NORETURN void skerry_begin(void);
void skerry_begin(void) {
    find_place(skerry_own_core());
    skerry_set_up_core();
    for (const initializer *each = __init_array_start; each != __init_array_end; each++) (*each)();
    skerry_host_leave(main((int)skerry_job.argc, skerry_job.argv, skerry_job.environ));
}

int skerry_owner(const volatile void *global) {
    uint32_t partition = (uintptr_t)global & ~(uintptr_t)SKERRY_PARTITION_MASK;
    for (int pe = 0; pe < skerry_facts.pe_count; pe++)
        if (skerry_partitions[pe] == partition) return pe;
    return skerry_facts.my_pe; // a short address (layout.h), so a byte of this core's memory
}
