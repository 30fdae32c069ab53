// SPDX-License-Identifier: BSD-3-Clause
// Declares the cores and workers of the machine, and the functions that several files of this folder use.
#ifndef SKERRY_MACHINE_SMP_INTERNAL_H
#define SKERRY_MACHINE_SMP_INTERNAL_H

#include "../riscv/spin_lock.h"
#include "../riscv/worker_world.h"

// At most 32, because a set of cores is a word of 32 bits with one bit for each core (struct skerry_eventcount).
#define SKERRY_CORES_MAX 32

// A worker: a thread that runs on one core. Its memory is one block, which contains its stack, then this struct, then
// its copy of the SKERRY_PER_THREAD variables.
struct skerry_worker {
    void *stack_pointer; // saved by skerry_switch (switch.S); valid while the worker does not run
    struct skerry_worker *next;
    struct skerry_core *core;
    skerry_worker_main *main;
    void *argument;
    int number;
    size_t stack_bytes;
    // Address of the stack's lowest word, where the block begins. The lowest SKERRY_STACK_MARKS words of the stack have
    // the value SKERRY_STACK_MARK. A full stack overwrites these words.
    uint32_t *stack_end;
};
#define SKERRY_STACK_MARK UINT32_C(0x5ca1ab1e)
#define SKERRY_STACK_MARKS 16
#define SKERRY_STACK_LIMIT_REGISTER                                                                                    \
    0xf0020u // offset of the register with the least stack pointer of the current thread
#define SKERRY_MAIN_STACK_BYTES (1 << 20)
#define SKERRY_WORKER_STACK_BYTES (256 << 10)

// A core. Other cores use only `interrupt`, and the fields from `lock` on. The core alone uses all other fields.
struct skerry_core {
    // Stack pointer of the core's own code, which waits for workers (skerry_core_run). Saved while a worker runs.
    void *idle_stack_pointer;
    struct skerry_worker *ready, *last; // queue of workers that wait for the core
    // `leaving` is the worker that has just left this core, or NULL. The code that runs next on this core gives this
    // worker to the core `destination`. If `destination` is NULL, the worker has ended and its memory is reused.
    struct skerry_worker *leaving;
    struct skerry_core *destination;
    // Address of this core's register MSIP. Another core stores 1 there to end this core's sleep.
    volatile uint32_t *interrupt;

    _Alignas(SKERRY_FALSE_SHARING_RANGE) struct skerry_spin lock; // protects `arriving`
    struct skerry_worker *arriving; // list of workers that other cores have given to this core
    uint32_t workers;               // number of workers that belong to this core; changed by atomic additions
    uint32_t waiting; // workers in `ready` and `arriving`; changed by atomic additions, polled by the running worker
};
extern struct skerry_core skerry_cores[SKERRY_CORES_MAX];

// The worker that runs on the calling core.
extern SKERRY_PER_THREAD struct skerry_worker *skerry_self;

// Functions of switch.S. skerry_switch stores the registers of the running worker on its stack, and its stack pointer
// to `*from`. Then it continues the worker whose stored stack pointer is `to`. skerry_worker_enter is the address at
// which a new worker begins.
void skerry_switch(void **from, void *to);
extern const char skerry_worker_enter[];

// Functions of worker.c:
//     skerry_worker_make   makes a worker, or returns NULL if there is not enough memory
//     skerry_worker_give   gives a worker to a core, which then runs it
//     skerry_core_run      runs the workers of a core and never returns
struct skerry_worker *skerry_worker_make(skerry_worker_main *main, void *argument, size_t stack_bytes);
void skerry_worker_give(struct skerry_worker *worker, struct skerry_core *core);
SKERRY_NORETURN void skerry_core_run(struct skerry_core *core);
// Stops the program if the stack of a worker is full or was full.
void skerry_check_stacks(void);
// Moves the calling worker to another core.
void skerry_worker_move(struct skerry_core *core);
// Returns the core that has the fewest workers, of the cores whose bits are set in `cores`.
struct skerry_core *skerry_core_choose(uint32_t cores);

#endif
