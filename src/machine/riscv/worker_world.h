// SPDX-License-Identifier: BSD-3-Clause
// Declares what the machines for OpenMP workers on RISC-V cores (smp, sarc) have in common: the description of the job,
// and the functions of worker_world.c, worker_process.c and c_locks.c. Only these machines use these three files of
// this folder.
#ifndef SKERRY_MACHINE_RISCV_WORKER_WORLD_H
#define SKERRY_MACHINE_RISCV_WORKER_WORLD_H

#include "../machine.h"

// The description of the job (sim/host/job.hpp). The simulator's loader finds it by the name skerry_job, and writes it
// before any core starts.
struct skerry_job {
    uint32_t cores;          // number of cores
    uint32_t columns;        // number of cores in the first row of the job
    uint32_t first_core;     // number of the first core: its row << 6 | its column
    const uint16_t *numbers; // numbers of all cores; NULL if the cores form a rectangle
    uint32_t cycles_per_second;
    int argument_count;
    char **arguments, **environment;
    char *external_begin, *external_end;
};
extern struct skerry_job skerry_job;

// Returns the number (row << 6 | column) of core `place` of the job. The cores of the job are counted from 0.
SKERRY_ALWAYS_INLINE uint32_t skerry_core_number(uint32_t place) {
    if (skerry_job.numbers) return skerry_job.numbers[place];
    const uint32_t row = place / skerry_job.columns; // one division: it takes 30 cycles
    return skerry_job.first_core + (row << 6) + (place - row * skerry_job.columns);
}

// Allocates memory as skerry_memory_take does, but always from malloc's heap (worker_memory.c). The address is a multiple of
// SKERRY_BANKS_BYTES. skerry_memory_give also accepts an address that is less than SKERRY_BANKS_BYTES higher. Defined for
// machines whose workers share one memory.
void *skerry_memory_take_large(size_t bytes, size_t alignment);
// Returns true if the part of the heap that was never used has at least `bytes` bytes. Defined for the same machines.
bool skerry_memory_is_left(size_t bytes);

// Returns memory that malloc uses when the heap has no room left, or NULL. Stores its size in *bytes. Only machines with such
// memory define it.
char *skerry_more_memory(size_t *bytes) __attribute__((weak));

#if SKERRY_NEAR_MEMORY
// Asks the layer above to free memory and counters near a worker (skerry_memory_on_shortage). Returns true if it has freed some.
bool skerry_free_some(int worker);
#endif

// Distinguishes the random numbers of this process from those of the others (entropy.c). Only machines whose jobs have several
// processes set it, and only programs that use such numbers have it.
extern uint32_t skerry_entropy_place __attribute__((weak));

// Returns true if the calling thread is one that ends before the program. Only machines with threads of POSIX define it.
bool skerry_thread_ends(void) __attribute__((weak));

// Destroys the thread-local objects of the calling thread, in the reverse order. Called by such a thread at its end. Only
// programs that have such objects have this function.
void skerry_thread_destroy_objects(void) __attribute__((weak));

// Initialises the C library, calls main, and ends the program. Called once, by the thread that runs main.
SKERRY_NORETURN void skerry_run_main(void);

// Ends all cores at once.
SKERRY_NORETURN void skerry_end_job(int status);

#endif
