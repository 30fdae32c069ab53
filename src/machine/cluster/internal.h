// SPDX-License-Identifier: BSD-3-Clause
// Declares the cores of the machine, and the functions that several files of this folder use.
#ifndef SKERRY_MACHINE_CLUSTER_INTERNAL_H
#define SKERRY_MACHINE_CLUSTER_INTERNAL_H

#include "../riscv/worker_world.h"

// Offsets of a core's registers in the addresses of this core: MSIP, by which other cores wake it; the address at which
// other cores access the core; the least stack pointer of the current thread.
#define SKERRY_INTERRUPT_REGISTER 0xf0000u
#define SKERRY_PLACE_REGISTER 0xf0018u
#define SKERRY_STACK_LIMIT_REGISTER 0xf0020u
#define SKERRY_CORE_SHIFT 20 // each core has 2^20 addresses

// A core, and the function that its worker runs next. The core that starts the worker stores `main` and `argument`, then
// increments `start`, and then wakes the core.
struct skerry_core {
    skerry_worker_main *main;
    void *argument;
    uint32_t start; // number of functions that the worker has been given since the job began
    uint32_t busy;  // 1 while the worker runs a function or is claimed for one
    // The memory of the worker's stack, and above it of its SKERRY_PER_THREAD variables. NULL: none yet.
    char *stack;
    size_t stack_bytes;
    volatile uint32_t *interrupt; // address of the core's register MSIP
    char *variables;              // since skerry_worker_set_variables
};
_Static_assert(sizeof(struct skerry_core) == 32, "four cores are in each 16 banks");
extern struct skerry_core skerry_cores[SKERRY_WORKERS_MAX];

// Function of start.S: calls function(argument) on another stack and with another thread pointer.
void skerry_call_on_stack(void *stack, void *thread_pointer, void (*function)(void *argument), void *argument);

// Functions of worker.c. skerry_worker_run runs `main` on the calling core, whose place in the job is `place`, until it
// returns. skerry_worker_take_stack allocates the worker's stack, or returns false if there is no memory.
// skerry_worker_set_variables initialises the variables of the worker, and returns the beginning of its stack.
// skerry_worker_loop runs the functions that other cores give to the calling core's worker.
bool skerry_worker_take_stack(struct skerry_core *core, size_t bytes);
void skerry_worker_run(struct skerry_core *core);
void *skerry_worker_set_variables(struct skerry_core *core);
SKERRY_NORETURN void skerry_worker_loop(struct skerry_core *core);

#endif
