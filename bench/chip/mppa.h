// SPDX-License-Identifier: BSD-3-Clause
// Measures and prints for the programs mppa_*.c, in which a PE is a cluster of an MPPA. The cycles of all cores are those of
// one clock.
#ifndef SKERRY_BENCH_CHIP_MPPA_H
#define SKERRY_BENCH_CHIP_MPPA_H

#include <shmem.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define CLUSTERS 16

static inline uint32_t now(void) {
    uint32_t cycles;
    __asm__ volatile("rdcycle %0" : "=r"(cycles)::"memory");
    return cycles;
}

static uint32_t cycles_of[CLUSTERS]; // on PE 0: what each PE has measured

// Prints "result NAME ACTIVE BYTES CYCLES". One PE calls it.
static inline void tell_one(const char *name, int active, size_t bytes, uint32_t cycles) {
    printf("result %s %d %lu %lu\n", name, active, (unsigned long)bytes, (unsigned long)cycles);
}

// Prints "result NAME ACTIVE BYTES CYCLES...", with the cycles of the first `active` PEs. All PEs call it.
static inline void tell(const char *name, int active, size_t bytes, uint32_t cycles) {
    const int me = shmem_my_pe();
    if (me < active) shmem_uint32_put(&cycles_of[me], &cycles, 1, 0);
    shmem_barrier_all();
    if (me == 0) {
        printf("result %s %d %lu", name, active, (unsigned long)bytes);
        for (int pe = 0; pe < active; pe++) printf(" %lu", (unsigned long)cycles_of[pe]);
        printf("\n");
    }
    shmem_barrier_all();
}

// Measures a statement, which the first ACTIVE PEs execute while the others wait. It consists of TURNS equal operations, and
// the figure is the cycles of one. The PEs execute the statement once before, so that its code is in their caches.
#define MEASURE(NAME, ACTIVE, BYTES, TURNS, STATEMENT)                                                                 \
    do {                                                                                                               \
        shmem_barrier_all();                                                                                           \
        if (shmem_my_pe() < (ACTIVE)) STATEMENT;                                                                       \
        shmem_barrier_all();                                                                                           \
        const uint32_t begin_ = now();                                                                                 \
        if (shmem_my_pe() < (ACTIVE)) STATEMENT;                                                                       \
        const uint32_t cycles_ = now() - begin_;                                                                       \
        shmem_barrier_all();                                                                                           \
        tell(NAME, ACTIVE, BYTES, cycles_ / (TURNS));                                                                  \
    } while (0)

static inline void must_hold(bool holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "PE %d: wrong data: %s\n", shmem_my_pe(), what);
    shmem_global_exit(4);
}

static inline void fill(uint8_t *data, size_t bytes, int value) {
    for (size_t i = 0; i < bytes; i++) data[i] = (uint8_t)(value + (int)(i * 7) + (int)(i >> 8));
}

static inline bool has(const uint8_t *data, size_t bytes, int value) {
    for (size_t i = 0; i < bytes; i++)
        if (data[i] != (uint8_t)(value + (int)(i * 7) + (int)(i >> 8))) return false;
    return true;
}

#endif
