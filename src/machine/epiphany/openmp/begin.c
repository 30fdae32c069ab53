// SPDX-License-Identifier: BSD-3-Clause
// Begins an OpenMP program on a core: start.S jumps to skerry_begin. Every core finds out its number in the job and the
// address of every other core's memory. The first core then runs the constructors and main. All other cores run the
// functions of parallel regions (src/omp/small/parallel.c).
//
// The variables of this file lie in each core's memory, and the loader writes the job description to each core.
#include "../../chip/chip.h"
#include "../begin.h"
#include "core.h"

struct skerry_facts skerry_facts;
struct skerry_job_description skerry_job = {.pes = 0};

typedef void (*initializer)(void);
extern const initializer __init_array_start[], __init_array_end[];
extern char
    skerry_first_core[] __asm__("__skerry_first_core"); // its address is the number of the core with the statics
extern char skerry_pes_max[] __asm__("__skerry_pes_max");
int main(int argc, char **argv, char **environ);
SKERRY_NORETURN void skerry_omp_begin_worker(void);
void skerry_omp_begin(void);

static void find_place(uint32_t own) {
    uint32_t core = skerry_job.first_core;
    skerry_facts.pe_count = (int32_t)skerry_job.pes;
    for (int pe = 0; pe < skerry_facts.pe_count; pe++) {
        if (skerry_job.cores) core = skerry_job.cores[pe];
        skerry_partitions[pe] = core << SKERRY_PARTITION_SHIFT;
        if (core == own) skerry_facts.my_pe = pe;
        const bool row_ends = (core & 63) - (skerry_job.first_core & 63) + 1 == skerry_job.columns;
        core = row_ends ? core + 64 - (skerry_job.columns - 1) : core + 1;
    }
}

static void check_job(uint32_t own) {
    if (skerry_job.pes == 0)
        skerry_stop("this program needs the job's description that oshrun writes: start it with oshrun --machine");
    if (skerry_facts.my_pe == 0 && own != (uint32_t)(uintptr_t)skerry_first_core)
        skerry_stop("the program is linked for another first core: --cores must begin with the first core of the "
                    "machine that oshcc --machine named");
}

SKERRY_NORETURN void skerry_begin(void);
void skerry_begin(void) {
    const uint32_t own = skerry_own_core();
    find_place(own);
    check_job(own);
    if (skerry_facts.my_pe != 0) skerry_omp_begin_worker();
    skerry_omp_begin();
    for (const initializer *each = __init_array_start; each != __init_array_end; each++) (*each)();
    exit(main((int)skerry_job.argc, skerry_job.argv, skerry_job.environ));
}
