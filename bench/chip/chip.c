// SPDX-License-Identifier: BSD-3-Clause
// Stores the measured cycles in rows, one row for each measurement, and prints the rows. Formats numbers itself and
// does not call printf, because printf's code is in external memory, which is slow.
#include "chip.h"

#include <unistd.h>

#ifndef ROWS_MAX
#define ROWS_MAX 512 // each row takes space in the program's file
#endif
#define PES_MAX 20 // barrier.c is also run by 20 PEs

struct row {
    const char *name; // a string at the same address in each core's own memory
    uint32_t pes, bytes;
    uint32_t cycles[PES_MAX];
};
SHMEMX_SHARED static volatile struct row rows[ROWS_MAX];
static int row_count;

uint32_t timer_cost;

// Returns true if the timer has stopped. The measurement is invalid in this case. The register CONFIG has the bits that
// let the timer count, and also the mode of the floating-point unit. For an integer multiplication the compiler
// generates code that changes this mode. This code can also clear the timer's bits.
static bool timer_has_stopped(void) {
    uint32_t config;
    __asm__ volatile("movfs %0, config" : "=r"(config));
    return (config & 0xf00) != 0x100;
}

void timer_start(void) {
    uint32_t config, all = UINT32_MAX;
    __asm__ volatile("movfs %0, config" : "=r"(config));
    config = (config & ~0xf00u) | 0x100;
    __asm__ volatile("movts ctimer1, %0\n\tmovts config, %1" : : "r"(all), "r"(config));
    uint32_t begin = timer();
    timer_cost = begin - timer();
}

// Stores this PE's cycles in the next row, and finally reads the value back. The read returns only after the store has
// arrived. The store therefore cannot disturb a later measurement.
void note(const char *name, int pes, uint32_t bytes, uint32_t cycles) {
    volatile struct row *row = &rows[row_count++];
    if (row_count > ROWS_MAX) shmem_global_exit(3);
    if (timer_has_stopped()) {
        timer_start();
        cycles = NOT_MEASURED;
    }
    int me = shmem_my_pe();
    if (me == 0) {
        row->name = name;
        row->pes = (uint32_t)pes;
        row->bytes = bytes;
    }
    row->cycles[me] = cycles;
    (void)row->cycles[me];
}

static char *put_text(char *to, const char *text) {
    while (*text) *to++ = *text++;
    return to;
}

static char *put_number(char *to, uint32_t value) {
    static const uint32_t powers[] = {1000000000, 100000000, 10000000, 1000000, 100000, 10000, 1000, 100, 10, 1};
    bool begun = false;
    *to++ = ' ';
    for (unsigned i = 0; i < 10; i++) {
        char digit = '0';
        for (; value >= powers[i]; value -= powers[i]) digit++;
        begun |= digit != '0' || i == 9;
        if (begun) *to++ = digit;
    }
    return to;
}

void tell(void) {
    static char line[256];
    shmem_barrier_all();
    if (shmem_my_pe() != 0) return;
    for (int i = 0; i < row_count; i++) {
        volatile struct row *row = &rows[i];
        char *end = put_text(put_text(line, "result "), row->name);
        end = put_number(put_number(end, row->pes), row->bytes);
        for (int pe = 0; pe < shmem_n_pes(); pe++)
            if (row->cycles[pe] != NOT_MEASURED) end = put_number(end, row->cycles[pe]);
        *end++ = '\n';
        write(1, line, (size_t)(end - line));
    }
}
