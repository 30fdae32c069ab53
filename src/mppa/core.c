// SPDX-License-Identifier: BSD-3-Clause
// Implements the functions that return the time, and where a program runs: the cluster (group of cores) and the core's
// number.
#include "internal.h"

#define FREQUENCY (SKERRY_PROGRAMS_HERTZ ? SKERRY_PROGRAMS_HERTZ : 400000000u)
#define POLLS_BETWEEN_TURNS 64

unsigned int __bsp_frequency = FREQUENCY;

int __k1_get_cluster_id(void) {
    return skerry_mppa_server_of(skerry_pe_count() == SKERRY_MPPA_PES ? skerry_my_pe() : SKERRY_MPPA_MASTER);
}

int __k1_get_cpu_id(void) {
    return skerry_thread_number();
}

#if SKERRY_PROGRAMS_HERTZ

void skerry_mppa_begin_clock(void) {
}

uint64_t __k1_read_dsu_timestamp(void) {
    return skerry_ticks();
}

#else

void skerry_mppa_begin_clock(void) {
    struct skerry_mppa_board *board = skerry_mppa_board();
    if (!board->cycles_of_tick) board->cycles_of_tick = ((uint64_t)FREQUENCY << 32) / skerry_ticks_per_second();
}

// Returns the time in cycles of an MPPA. `cycles_of_tick` / 2^32 is the number of these cycles in a tick of this
// machine's clock. The board is the state that the programs of a job share. A program that runs alone has a board too.
uint64_t __k1_read_dsu_timestamp(void) {
    skerry_mppa_begin_clock();
    return (uint64_t)((unsigned __int128)skerry_ticks() * skerry_mppa_board()->cycles_of_tick >> 32);
}

#endif

void skerry_mppa_look(void) {
    static SKERRY_PER_THREAD uint32_t polls;
    if (++polls % POLLS_BETWEEN_TURNS == 0) skerry_yield();
}
