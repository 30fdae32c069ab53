// SPDX-License-Identifier: BSD-3-Clause
// Declares the variables that each core has in its own memory, and the functions that several files of this folder use.
#ifndef SKERRY_MACHINE_SARC_INTERNAL_H
#define SKERRY_MACHINE_SARC_INTERNAL_H

#include "../chip/layout.h"
#include "../riscv/worker_world.h"

#define SKERRY_PLACE_REGISTER 0xf0018u // offset of the register with the address of the own core's memory
// Offset of the register that contains the number of lines of the core's event unit, in bits 0 to 15, and the number of
// copies that its copy unit can have under way, from bit 16 on. 0: the core has no event unit, or no copy unit.
#define SKERRY_LINES_REGISTER 0xf001cu
#define SKERRY_COPIES_SHIFT 16
#define SKERRY_LINES_OFFSET 0xe0000u // offset of the lines, and of their tags: words
#define SKERRY_TAGS_OFFSET 0xe8000u
#define SKERRY_TAG_COMMAND 1u
#define SKERRY_TAG_COUNTER 2u
#define SKERRY_TAG_QUEUE 4u // with several readers; the number of its items begins at bit SKERRY_TAG_ITEMS
#define SKERRY_TAG_ITEMS 8
#define SKERRY_LINES_OF_COMMANDS 4u // two command lines, each with a line of words behind it (machine.h)
#define SKERRY_LINES_OF_COPIES 8u   // counters of copies, behind the command lines (copy.c)
#define SKERRY_LINES_OF_MACHINE (SKERRY_LINES_OF_COMMANDS + SKERRY_LINES_OF_COPIES)

// The free memory of one core. Every core can take blocks of it (memory.c).
struct skerry_pool {
    uint32_t lock; // 1 while a core changes the words below, otherwise 0
    // Offset in the core's memory. The memory from this offset on was never part of a block. The offset is 0 before the
    // first block is taken.
    uint32_t fresh;
    struct skerry_block *free; // list of blocks that were taken and then freed
};

// The variables that each core has in its own memory. They are at the same offset in every core (sarc.ld).
struct skerry_core {
    // The function that this core's worker runs next, and its argument. The core that starts the worker stores both,
    // and then increments `start`. The increment tells the worker that the function is there.
    skerry_worker_main *main;
    void *argument;
    uint32_t start; // number of functions that this core's worker has been given since the job began
    struct skerry_pool pool;
    // Counters and queues of the core's event unit (events.c). `lines` is the number of lines that were ever used for
    // them. `free_counter` and `free_queue` begin the lists of counters and queues that were returned.
    uint32_t lines;
    struct skerry_event_counter *free_counter;
    struct skerry_free_queue *free_queue;
};

extern char __skerry_stack_bytes[]; // its address is the size of a stack in bytes

// Functions of memory.c. skerry_lock_core and skerry_unlock_core take and release the lock of a core. The lock protects
// the core's lists of free memory and of returned counters (events.c).
void skerry_lock_core(struct skerry_core *core);
void skerry_unlock_core(struct skerry_core *core);

// Function of events.c: prepares the calling core's event unit, if the core has one.
void skerry_begin_events(void);

// Function of copy.c: prepares the counters of the calling core's copies, if the core has a copy unit.
void skerry_begin_copies(void);

// Functions of worker.c. skerry_worker_loop runs the functions that other cores give to the worker of the calling core.
// skerry_core_at returns the global address of the struct skerry_core of core `place` of the job.
SKERRY_NORETURN void skerry_worker_loop(void);
struct skerry_core *skerry_core_at(int place);

#endif
