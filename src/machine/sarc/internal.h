// SPDX-License-Identifier: BSD-3-Clause
// Declares what each core has in its own memory, and what the files of this folder call of each other.
#ifndef SKERRY_MACHINE_SARC_INTERNAL_H
#define SKERRY_MACHINE_SARC_INTERNAL_H

#include "../chip/layout.h"
#include "../riscv/worker_world.h"

#define SKERRY_PLACE_REGISTER 0xf0018u // offset of the register with the address of the own core's memory

// The free memory of a core, from which all cores take blocks (memory.c).
struct skerry_pool {
    uint32_t lock;             // 1: a core changes the words below
    uint32_t fresh;            // offset of the memory that was never given out; 0: nothing was given out yet
    struct skerry_block *free; // blocks that were given back
};

// What each core has at the same offset of its memory (sarc.ld).
struct skerry_core {
    // The function that the core's worker has to run next. The core that starts it stores `start` last.
    skerry_worker_main *main;
    void *argument;
    uint32_t start; // number of functions that were given to the worker
    struct skerry_pool pool;
};

// worker.c
// skerry_worker_loop runs what other cores give to the worker of the calling core. skerry_core_at returns the struct of the
// core at a place in the job, at its global address.
SKERRY_NORETURN void skerry_worker_loop(void);
struct skerry_core *skerry_core_at(int place);

#endif
