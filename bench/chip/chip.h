// SPDX-License-Identifier: BSD-3-Clause
// Cycles on a chip: each core counts its own, and what it has counted lies in external memory until all is measured,
// because printing takes longer than anything that is measured here.
#ifndef SKERRY_BENCH_CHIP_H
#define SKERRY_BENCH_CHIP_H

#include <shmem.h>
#include <shmemx.h>
#include <stdbool.h>
#include <stdint.h>

// The program's own event timer; the library's clock is the other one. It counts down.
static inline uint32_t timer(void) {
    uint32_t now;
    __asm__ volatile("movfs %0, ctimer1" : "=r"(now) : : "memory");
    return now;
}

extern uint32_t timer_cost; // of reading it twice
void timer_start(void);

// The cycles that a statement takes.
#define CYCLES(statement)                                                                                              \
    __extension__({                                                                                                    \
        uint32_t begin_ = timer();                                                                                     \
        statement;                                                                                                     \
        begin_ - timer() - timer_cost;                                                                                 \
    })

#define NOT_MEASURED UINT32_MAX

// Every PE calls these in the same order. A row is one figure: the cycles of each PE that took part.
void note(const char *name, int pes, uint32_t bytes, uint32_t cycles);
void tell(void); // "result NAME PES BYTES CYCLES...", one line a row

#endif
