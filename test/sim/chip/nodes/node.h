// SPDX-License-Identifier: BSD-3-Clause
// What the programs of this folder need of a node of the machine mppa. They run without a library: the first code of each
// core calls main with the number of its cluster and of the core in it, and main's result is the core's exit code. The
// stack is the core's own memory. All variables are in the cluster's memory.
#ifndef NODE_H
#define NODE_H
#include <stdint.h>

enum {
    CLUSTER_CORES = 17,
    UNIT_BYTES = 0x40000, // registers of one DMA unit; an I/O node has four
    HEADERS = 0x1000,
    PUSH = 0x2000,
    PUSH_OFFSET = 0x2040,
    SEND = 0x4000,
    SEND_END = 0x6000,
    TAGS = 0x8000,
    PROGRAM = 0xb000,
    PARAMETERS = 0xb800,
    START = 0xb900,
    MAILBOXES = 0x10000,
    SENDERS = 0x18000,
    TAG_ADDRESS = 0,
    TAG_SIZE = 4,
    TAG_MODE = 8,
    TAG_TRANSFERS = 16,
    MODE_OFFSET = 0,
    MODE_APPEND = 1,
    MAILBOX_MASK = 8,
    MAILBOX_MODE = 16,
    MAILBOX_NOTIFY = 20,
    MAILBOX_COUNT = 24,
    NORTH = 1,
    EAST = 2,
    SOUTH = 3,
    WEST = 4,
    IO = 5,
};
#define VALID 0x80000000u

static inline volatile uint32_t *node_register(unsigned unit, unsigned offset) {
    return (volatile uint32_t *)(0x60000000u + unit * UNIT_BYTES + offset);
}
static inline void set(unsigned offset, uint32_t value) {
    *node_register(0, offset) = value;
}
static inline uint32_t get(unsigned offset) {
    return *node_register(0, offset);
}
static inline void open_tag(unsigned unit, unsigned tag, volatile void *window, uint32_t bytes, uint32_t mode) {
    *node_register(unit, TAGS + 32 * tag + TAG_ADDRESS) = (uint32_t)(uintptr_t)window;
    *node_register(unit, TAGS + 32 * tag + TAG_SIZE) = bytes;
    *node_register(unit, TAGS + 32 * tag + TAG_MODE) = mode;
}
static inline uint32_t transfers(unsigned unit, unsigned tag) {
    return *node_register(unit, TAGS + 32 * tag + TAG_TRANSFERS);
}
static inline void set_header(unsigned unit, unsigned header, uint32_t route, unsigned tag) {
    *node_register(unit, HEADERS + 8 * header) = route;
    *node_register(unit, HEADERS + 8 * header + 4) = VALID | tag;
}
// The way from one place in a ring of four to another one, as hops of a route.
static inline uint32_t ring(unsigned from, unsigned to, unsigned up, unsigned down, unsigned *hops) {
    const unsigned ahead = (to - from) & 3;
    const unsigned hop = ahead == 1 || (ahead == 2 && to > from) ? up : down;
    const uint32_t route = ahead == 0 ? 0 : ahead == 2 ? hop | hop << 3 : hop;
    *hops = ahead == 0 ? 0 : ahead == 2 ? 2 : 1;
    return route;
}
// The route from one cluster to another one (sim/dnoc/torus.hpp).
static inline uint32_t route_to(unsigned from, unsigned to) {
    unsigned along, ignored;
    const uint32_t row = ring(from & 3, to & 3, EAST, WEST, &along);
    return row | ring(from >> 2, to >> 2, SOUTH, NORTH, &ignored) << 3 * along;
}

// Loads the program of micro-cores that sends contiguous memory: parameter 0 is the address, 1 the double words, 2 the
// offset in the target's window. sim/mppa_dma/program.hpp has the encoding.
static inline void load_linear(unsigned unit) {
    enum { READ_8 = 2, OFFSET = 5, END = 7, STOP = 11, ADD_NUMBER = 1, SET = 3, COUNT_SET = 1, LOOP = 3, SKIP = 4 };
    const uint32_t code[][2] = {
        {SET << 6 | 2 << 8 | COUNT_SET << 15 | 1 << 18, 0},     // pointer = offset, counter = double words
        {OFFSET | SET << 6 | 0 << 8 | SKIP << 15 | 3 << 22, 0}, // offset; pointer = address
        {READ_8 | ADD_NUMBER << 6 | LOOP << 15 | 2 << 22, 8},   {END, 0}, {STOP, 0},
    };
    for (unsigned k = 0; k < sizeof code / sizeof *code; k++) {
        *node_register(unit, PROGRAM + 8 * k) = code[k][0];
        *node_register(unit, PROGRAM + 8 * k + 4) = code[k][1];
    }
}
static inline void start_linear(unsigned unit, unsigned micro_core, unsigned header, const volatile void *from,
                                uint32_t bytes, uint32_t offset) {
    *node_register(unit, PARAMETERS) = (uint32_t)(uintptr_t)from;
    *node_register(unit, PARAMETERS + 4) = bytes / 8;
    *node_register(unit, PARAMETERS + 8) = offset;
    *node_register(unit, START + 4 * micro_core) = header << 8;
}

static inline uint32_t cycles(void) {
    uint32_t now;
    __asm__ volatile("rdcycle %0" : "=r"(now));
    return now;
}
// Sleeps until the node notifies the core.
static inline void sleep_until_notified(void) {
    const uint32_t message = 1u << 16;
    __asm__ volatile("csrs mie, %0\n\twfi\n\tcsrc mip, %0" ::"r"(message) : "memory");
}

int main(unsigned cluster, unsigned core);

__attribute__((naked, section(".start"), used)) void start(void) {
    __asm__("li sp, 0x1000\n\t"
            "csrr a2, mhartid\n\t"
            "li a1, 17\n\t"
            "divu a0, a2, a1\n\t"
            "remu a1, a2, a1\n\t"
            "call main\n\t"
            "li a7, 93\n\t"
            "ecall");
}

#endif
