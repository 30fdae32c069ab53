// SPDX-License-Identifier: BSD-3-Clause
// Defines how variants.c uses the hardware of the simulated machines sarc (docs/design/events.md): the lines of a core, messages, and a
// barrier by a counter, which other variants use too.
#ifndef SKERRY_BENCH_CHIP_VARIANTS_HARDWARE_H
#define SKERRY_BENCH_CHIP_VARIANTS_HARDWARE_H

#include <omp.h>
#include <stdbool.h>
#include <stdint.h>

#define TIMES 96 // a multiple of 1 to 4
#define TASKS 64
#define CORES_MAX 4
#define MUTEXES 0x40000000u // address of the memory of mutexes
#define THINK 250           // cycles in a critical section, in which the other cores' requests arrive

enum { WRITE, ENQUEUE, DEQUEUE }; // kinds of messages
enum { PLAIN, COMMAND, COUNTER, SINGLE_READER, MULTIPLE_READER };
// Numbers of the lines that this program uses on each core. A line is 32 bytes of a core's event unit
// (docs/design/events.md). The first number is 32, because the OpenMP runtime uses lines from 0 on for its commands and counters,
// in this program at most 28 lines.
enum {
    MESSAGE = 32, // command lines, each with a line of data behind it
    REQUEST = 34,
    TOKEN = 36,
    ARRIVALS = 38, // counter of a barrier
    ENDS = 39,     // counter of threads or tasks that have ended
    FLAGS = 40,    // plain
    SLOTS = 41,    // plain: a word for each core
    BOX = 42,      // plain: a descriptor
    SINGLE = 44,   // queue of 16 items
    MULTIPLE = 64, // queue of 32 items
    LOCK = 100     // queue with a token
};
enum { FLAG, ANSWER, BARRIER_FLAG }; // words of the line FLAGS

typedef volatile uint32_t line[8];
typedef void function(void);

static uint32_t bases[CORES_MAX]; // addresses of the cores' memories
static int word;

static uint32_t now(void) {
    uint32_t cycles;
    __asm__ volatile("rdcycle %0" : "=r"(cycles)::"memory");
    return cycles;
}

static inline volatile uint32_t *line_of(int core, int number) {
    return (volatile uint32_t *)(uintptr_t)(bases[core] | (0xe0000u + 32u * (uint32_t)number));
}

// A core's number, the number of cores, and the addresses of the lines that the core uses often. Each core has a copy
// in its own memory.
struct core {
    int number, cores;
    volatile uint32_t *message, *request, *token, *flags, *slots, *box, *single;
    volatile uint32_t *master_ends, *master_slots;
};

static void set_tag(int number, uint32_t kind, uint32_t items) {
    *(volatile uint32_t *)(uintptr_t)(0xe8000u + 4u * (uint32_t)number) = kind | items << 8;
}

static void aim(volatile uint32_t *command, volatile uint32_t *to, volatile uint32_t *answer) {
    command[0] = (uint32_t)(uintptr_t)to;
    command[1] = (uint32_t)(uintptr_t)answer;
}

static inline void go(volatile uint32_t *command, uint32_t bytes, uint32_t kind) {
    command[2] = bytes | kind << 8;
}

static inline void fence(void) {
    __asm__ volatile("fence rw, rw" ::: "memory");
}

static void think(uint32_t cycles) {
    for (const uint32_t start = now(); now() - start < cycles;) {
    }
}

static void nothing(void) {
}

static struct core set_up(void) {
    struct core c = {.number = omp_get_thread_num(), .cores = omp_get_num_threads()};
    bases[c.number] = (uint32_t)(uintptr_t)&c & ~UINT32_C(0xfffff);
#pragma omp barrier
    set_tag(SINGLE, SINGLE_READER, 16);
    set_tag(MULTIPLE, MULTIPLE_READER, 32);
    set_tag(LOCK, MULTIPLE_READER, 8);
    set_tag(ARRIVALS, COUNTER, 0);
    set_tag(ENDS, COUNTER, 0);
    set_tag(FLAGS, PLAIN, 0);
    set_tag(SLOTS, PLAIN, 0);
    set_tag(BOX, PLAIN, 0);
    for (int i = MESSAGE; i <= TOKEN; i += 2) {
        set_tag(i, COMMAND, 0);
        set_tag(i + 1, PLAIN, 0);
    }
    c.message = line_of(c.number, MESSAGE);
    c.request = line_of(c.number, REQUEST);
    c.token = line_of(c.number, TOKEN);
    c.flags = line_of(c.number, FLAGS);
    c.slots = line_of(c.number, SLOTS);
    c.box = line_of(c.number, BOX);
    c.single = line_of(c.number, SINGLE);
    c.master_ends = line_of(0, ENDS);
    c.master_slots = line_of(0, SLOTS);
    c.message[8] = 1; // the word of its data
    c.token[8] = 1;
    aim(c.message, line_of(0, ARRIVALS), 0);
    aim(c.request, line_of(0, LOCK), &c.flags[ANSWER]);
    aim(c.token, line_of(0, LOCK), 0);
    if (c.number == 0) {
        volatile uint32_t *arrivals = line_of(0, ARRIVALS);
        arrivals[1] = arrivals[7] = 0u - (uint32_t)c.cores;
        arrivals[2] = 1;
        for (int i = 0; i < c.cores; i++) arrivals[3 + i] = (uint32_t)(uintptr_t)&line_of(i, FLAGS)[BARRIER_FLAG];
        go(c.token, 4, ENQUEUE);
    }
    fence();
#pragma omp barrier
    return c;
}

static inline void barrier_by_counter(const struct core *c) {
    go(c->message, 4, WRITE);
    while (!c->flags[BARRIER_FLAG]) {
    }
    c->flags[BARRIER_FLAG] = 0;
}

#endif
