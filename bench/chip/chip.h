// SPDX-License-Identifier: BSD-3-Clause
// Declares functions that count cycles on a chip. Each core counts its own cycles. The counts stay in external memory
// until all measurements are done, because printing takes longer than any measurement here.
#ifndef SKERRY_BENCH_CHIP_H
#define SKERRY_BENCH_CHIP_H

#include <shmem.h>
#include <shmemx.h>
#include <stdbool.h>
#include <stdint.h>

// Returns the value of event timer 1, which counts down by one in each cycle. Event timer 0 is the library's clock.
static inline uint32_t timer(void) {
    uint32_t now;
    __asm__ volatile("movfs %0, ctimer1" : "=r"(now) : : "memory");
    return now;
}

extern uint32_t timer_cost; // cycles between two reads of the timer without code between them
void timer_start(void);

// Executes a statement and returns the cycles that it took. Subtracts timer_cost, the cycles of reading the timer.
#define CYCLES(statement)                                                                                              \
    __extension__({                                                                                                    \
        uint32_t begin_ = timer();                                                                                     \
        statement;                                                                                                     \
        begin_ - timer() - timer_cost;                                                                                 \
    })

#define NOT_MEASURED UINT32_MAX

// note() stores this PE's cycles in the next row, or NOT_MEASURED if this PE did not take part. tell() prints the rows.
// All PEs must make the same calls of note() and tell() in the same order.
void note(const char *name, int pes, uint32_t bytes, uint32_t cycles);
void tell(void); // one line for each row: "result NAME PES BYTES CYCLES..."

#endif
