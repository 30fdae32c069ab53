// SPDX-License-Identifier: BSD-3-Clause
// Declares the variables that each core has in its own memory, and the functions that the files of this folder call
// in each other.
#ifndef SKERRY_MACHINE_SARC_INTERNAL_H
#define SKERRY_MACHINE_SARC_INTERNAL_H

#include "../chip/layout.h"
#include "../riscv/worker_world.h"

#define SKERRY_PLACE_REGISTER 0xf0018u // offset of the register with the address of the own core's memory

// The free memory of one core. Every core can take blocks of it (memory.c).
struct skerry_pool {
    uint32_t lock; // 1 while a core changes the words below, otherwise 0
    // Offset in the core's memory from which on no block was ever taken. It is 0 before the first block is taken.
    uint32_t fresh;
    struct skerry_block *free; // list of blocks that were taken and then freed
};

// The variables that each core has in its own memory. They are at the same offset in every core (sarc.ld).
struct skerry_core {
    // The function that this core's worker runs next, and its argument. The core that starts the worker stores both,
    // and then increments `start`: this tells the worker that the function is there.
    skerry_worker_main *main;
    void *argument;
    uint32_t start; // number of functions that this core's worker has been given since the job began
    struct skerry_pool pool;
};

extern char __skerry_stack_bytes[]; // its address is the size of a stack in bytes

// Functions of worker.c. skerry_worker_loop runs the functions that other cores give to the worker of the calling
// core. skerry_core_at returns the global address of the struct skerry_core of a core, whose number in the job is
// `place`.
SKERRY_NORETURN void skerry_worker_loop(void);
struct skerry_core *skerry_core_at(int place);

#endif
