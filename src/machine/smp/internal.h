// SPDX-License-Identifier: BSD-3-Clause
// Declares the cores and workers of the machine, and what the files of this folder call of each other.
#ifndef SKERRY_MACHINE_SMP_INTERNAL_H
#define SKERRY_MACHINE_SMP_INTERNAL_H

#include "../riscv/worker_world.h"

#define SKERRY_CORES_MAX 32 // the bits of a word (struct skerry_eventcount)

struct skerry_spin {
    uint32_t tickets; // number of tickets taken
    uint32_t turn;    // ticket whose owner has the lock
};

// A worker. Its memory is one block: its stack, this struct, its copy of the SKERRY_PER_THREAD variables.
struct skerry_worker {
    void *stack_pointer; // while another worker runs on its core (switch.S)
    struct skerry_worker *next;
    struct skerry_core *core;
    skerry_worker_main *main;
    void *argument;
    int number;
    size_t stack_bytes;
    // The lowest SKERRY_STACK_MARKS words of the stack, with which the block begins. They keep SKERRY_STACK_MARK unless
    // the stack is full.
    uint32_t *stack_end;
};
#define SKERRY_STACK_MARK UINT32_C(0x5ca1ab1e)
#define SKERRY_STACK_MARKS 16
#define SKERRY_MAIN_STACK_BYTES (1 << 20)
#define SKERRY_WORKER_STACK_BYTES (256 << 10)

// A core. Only the core itself uses the words, except those under `lock`.
struct skerry_core {
    void *idle_stack_pointer;           // of the core's loop without a worker, while a worker runs
    struct skerry_worker *ready, *last; // queue of workers that wait for the core
    // The worker that has just given the core away, and the core that has to get this worker. NULL: the worker ends.
    struct skerry_worker *leaving;
    struct skerry_core *destination;
    volatile uint32_t *interrupt; // register by which other cores end the core's sleep

    _Alignas(SKERRY_FALSE_SHARING_RANGE) struct skerry_spin lock; // protects `arriving`
    struct skerry_worker *arriving; // list of workers that other cores have given to this core
    uint32_t workers;               // all workers of this core; changed by atomic additions
    uint32_t waiting; // workers in `ready` and `arriving`; changed by atomic additions, polled by the running worker
};
extern struct skerry_core skerry_cores[SKERRY_CORES_MAX];

// The worker that runs on the calling core.
extern SKERRY_PER_THREAD struct skerry_worker *skerry_self;

// switch.S
// skerry_switch stores the registers of the running worker on its stack, stores the stack pointer to `*from`, and
// continues with the worker that had stored `to`. skerry_worker_enter is where a new worker begins.
void skerry_switch(void **from, void *to);
extern const char skerry_worker_enter[];

// worker.c
// skerry_core_run runs the workers of a core. It never returns.
struct skerry_worker *skerry_worker_make(skerry_worker_main *main, void *argument, size_t stack_bytes);
void skerry_worker_give(struct skerry_worker *worker, struct skerry_core *core);
SKERRY_NORETURN void skerry_core_run(struct skerry_core *core);
// Stops the program if the stack of a worker is or was full.
void skerry_check_stacks(void);
// Moves the calling worker to another core.
void skerry_worker_move(struct skerry_core *core);
// Returns the core with the fewest workers among those whose bits are set.
struct skerry_core *skerry_core_choose(uint32_t cores);

// A lock of the machine. Workers get it in the order of their tickets. The holder neither waits nor yields.
SKERRY_ALWAYS_INLINE void skerry_spin_take(struct skerry_spin *lock) {
    const uint32_t ticket = __atomic_fetch_add(&lock->tickets, 1, __ATOMIC_RELAXED);
    while (__atomic_load_n(&lock->turn, __ATOMIC_ACQUIRE) != ticket) {
    }
}

SKERRY_ALWAYS_INLINE void skerry_spin_give(struct skerry_spin *lock) {
    __atomic_store_n(&lock->turn, lock->turn + 1, __ATOMIC_RELEASE);
}

#endif
