// SPDX-License-Identifier: BSD-3-Clause
// Measures the speed of the paths between a core and memory. The paper Coduin 2016 does so for its table of the
// Parallella board. There are two methods, both from the paper. One is a plain C loop of 8-byte copies. The other is
// DMA transfers. For each transfer the core fills a descriptor (addresses and sizes), starts the transfer, and waits
// for its end. The copying cores are, in turn:
// * one core while the other cores wait;
// * all cores at once;
// * each core alone, one after the other (rows `turns_`), because the paper's graphs have a point for each core.
// For comparison, the library's fastest ways are measured too, by one core and by all cores at once.
#include "chip.h"

// The paper does not give the options of its compiler. It also does not say if its copy loop begins at an address that
// is a multiple of 8. At another address a turn of the loop can take one more cycle. The build therefore makes three
// programs of this file, with different values of the macros LOOP and LOOP_NOPS.
#ifndef LOOP
#define LOOP "Os"
#define LOOP_NOPS "2"
#define STEPS "O0"
#define ONLY_METHODS 0
#endif

#define BYTES_MAX 4096
static char local[BYTES_MAX] __attribute__((aligned(8))), there[BYTES_MAX] __attribute__((aligned(8)));
SHMEMX_SHARED static char outside[16][BYTES_MAX] __attribute__((aligned(8)));

// Sizes in bytes. About the first 70 bytes of a transfer leave a core faster than the following bytes. The sizes up to
// 160 bytes are one double word (8 bytes) apart, to show exactly at which size this ends.
static const uint16_t sizes[] = {8,   16,  24,  32,  40,  48,   56,   64,   72,   80,   88,   96,
                                 104, 112, 120, 128, 136, 144,  152,  160,  192,  224,  256,  320,
                                 384, 448, 512, 640, 768, 1024, 1280, 1536, 1792, 2048, 3072, 4096};
#define GRAPH_BYTES_MAX 2048 // the paper's graphs end near this size

static void __attribute__((noipa, aligned(8), optimize(LOOP)))
transfer(void *destination, const void *source, uint32_t bytes) {
    __asm__ volatile(".rept " LOOP_NOPS "\n\tnop\n\t.endr");
    long long *dst = destination;
    const long long *src = source;
    int count = (int)bytes >> 3;
    for (int i = 0; i < count; i++) *dst++ = *src++;
}

// Copies from the end to the beginning. The chip joins writes to a burst only if their addresses ascend. These writes
// therefore form no burst.
static void __attribute__((noinline, optimize("Os")))
transfer_down(void *destination, const void *source, uint32_t bytes) {
    long long *dst = (long long *)((char *)destination + bytes);
    const long long *src = (const long long *)((const char *)source + bytes);
    for (int i = (int)bytes >> 3; i > 0; i--) *--dst = *--src;
}

// Defines a simple DMA library as the paper describes it. The descriptor of a transfer, which contains its addresses
// and sizes, is in memory. Each step of a transfer is a function. Some steps access a register by its special
// instruction, other steps by its address.
struct descriptor {
    uint32_t config, inner_stride, count, outer_stride;
    const void *source;
    void *destination;
} __attribute__((aligned(8)));
static volatile struct descriptor transfer_descriptor;

#define REGISTER_CONFIG 0xf0400u
#define REGISTER_DMA0_CONFIG 0xf0500u
#define REGISTER_DMA0_STATUS 0xf051cu
#define STEP static __attribute__((noinline, noclone, optimize(STEPS)))

STEP uint32_t read_register(uint32_t address) {
    uint32_t value;
    if (address == REGISTER_CONFIG) __asm__ volatile("movfs %0, config" : "=r"(value));
    else value = *(volatile uint32_t *)address;
    return value;
}

STEP void write_register(uint32_t address, uint32_t value) {
    if (address == REGISTER_CONFIG) __asm__ volatile("movts config, %0" : : "r"(value));
    else *(volatile uint32_t *)address = value;
}

STEP bool is_busy(uint32_t channel) {
    return (read_register(REGISTER_DMA0_STATUS + channel * 32) & 15) != 0;
}

STEP void fill(volatile struct descriptor *descriptor, void *destination, const void *source, uint32_t bytes) {
    descriptor->config = 3 | 3 << 5; // channel enabled, master mode, elements of 8 bytes
    if (((uint32_t)(uintptr_t)destination & 0xfff00000) == 0) descriptor->config |= 1 << 10;
    descriptor->inner_stride = 0x80008;
    descriptor->count = 0x10000 | bytes >> 3;
    descriptor->outer_stride = 0;
    descriptor->source = source;
    descriptor->destination = destination;
}

STEP void start(volatile struct descriptor *descriptor, uint32_t channel) {
    while (is_busy(channel)) continue;
    write_register(REGISTER_DMA0_CONFIG + channel * 32, (uint32_t)(uintptr_t)descriptor << 16 | 8);
}

STEP void wait_until_idle(uint32_t channel) {
    while (is_busy(channel)) continue;
}

STEP void dma_transfer(void *destination, const void *source, uint32_t bytes) {
    fill(&transfer_descriptor, destination, source, bytes);
    start(&transfer_descriptor, 0);
    wait_until_idle(0);
}

enum { HOW_CORE, HOW_CORE_DOWN, HOW_DMA, HOW_BEST, HOW_BEST_DMA };
enum { CORE_READ, CORE_WRITE, OUTSIDE_READ, OUTSIDE_WRITE };

static const char *const names[][4] = {
    {"core_read", "core_write", "outside_read", "outside_write"},
    {"", "", "", "noburst_outside_write"},
    {"dma_core_read", "dma_core_write", "dma_outside_read", "dma_outside_write"},
    {"best_core_read", "best_core_write", "best_outside_read", "best_outside_write"},
    {"best_dma_core_read", "best_dma_core_write", "best_dma_outside_read", ""},
};

// Names of the rows for which the PEs measure one after the other, each PE while the other PEs wait.
static const char *const turn_names[][4] = {
    {"turns_core_read", "turns_core_write", "turns_outside_read", "turns_outside_write"},
    {"", "", "", "turns_noburst_outside_write"},
    {"turns_dma_core_read", "turns_dma_core_write", "turns_dma_outside_read", "turns_dma_outside_write"},
};

static void best(int what, int next, uint32_t bytes) {
    int me = shmem_my_pe();
    if (what == CORE_READ) shmem_getmem(local, there, bytes, next);
    if (what == CORE_WRITE) shmem_putmem(there, local, bytes, next);
    if (what == OUTSIDE_READ) shmem_putmem(local, outside[me], bytes, me);
    if (what == OUTSIDE_WRITE) shmem_getmem(outside[me], local, bytes, me);
}

static void best_dma(int what, int next, uint32_t bytes) {
    int me = shmem_my_pe();
    if (what == CORE_READ) shmem_getmem_nbi(local, there, bytes, next);
    if (what == CORE_WRITE) shmem_putmem_nbi(there, local, bytes, next);
    if (what == OUTSIDE_READ) shmem_putmem_nbi(local, outside[me], bytes, me);
    shmem_quiet();
}

static uint32_t one(int how, int what, int next, uint32_t bytes) {
    char *far = what <= CORE_WRITE ? shmem_ptr(there, next) : outside[shmem_my_pe()];
    void *to = what & 1 ? far : local;
    const void *from = what & 1 ? local : far;
    switch (how) {
    case HOW_CORE: return CYCLES(transfer(to, from, bytes));
    case HOW_CORE_DOWN: return CYCLES(transfer_down(to, from, bytes));
    case HOW_DMA: return CYCLES(dma_transfer(to, from, bytes));
    case HOW_BEST: return CYCLES(best(what, next, bytes));
    default: return CYCLES(best_dma(what, next, bytes));
    }
}

// Waits until the stores of all PEs to external memory have left the chip. Each PE reads from external memory. The read
// does not overtake the PE's earlier stores.
static void settle(void) {
    (void)*(volatile char *)outside[shmem_my_pe()];
    shmem_barrier_all();
}

static void measure(int how, int what, uint32_t bytes) {
    int me = shmem_my_pe(), pes = shmem_n_pes(), next = me + 1 < pes ? me + 1 : 0;
    bool turns = !ONLY_METHODS && how <= HOW_DMA && bytes <= GRAPH_BYTES_MAX;
    uint32_t cycles = NOT_MEASURED;
    for (int pe = 0; pe < (turns ? pes : 1); pe++) {
        settle();
        if (me == pe) cycles = one(how, what, next, bytes);
        shmem_barrier_all(); // the other PEs wait here while PE `pe` copies
    }
    settle();
    note(names[how][what], 1, bytes, me == 0 ? cycles : NOT_MEASURED);
    if (turns) note(turn_names[how][what], 1, bytes, cycles);
    settle();
    cycles = one(how, what, next, bytes);
    settle();
    note(names[how][what], pes, bytes, cycles);
}

int main(void) {
    shmem_init();
    timer_start();
    for (int how = HOW_CORE; how <= (ONLY_METHODS ? HOW_DMA : HOW_BEST_DMA); how++)
        for (int what = CORE_READ; what <= OUTSIDE_WRITE; what++)
            for (unsigned i = 0; i < sizeof sizes / sizeof *sizes && names[how][what][0]; i++)
                if (!ONLY_METHODS || sizes[i] % 64 == 0) measure(how, what, sizes[i]);
    tell();
    shmem_finalize();
    return 0;
}
