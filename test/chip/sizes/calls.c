// SPDX-License-Identifier: BSD-3-Clause
// How many cycles some calls take, for scripts/chip-sizes: the mean of 16; of PE 0 alone, and of the
// slowest where all call. One file, so that it can be one translation unit with the library.
#include <shmem.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define CALLS 16
#define ROWS 16
#define PES_MAX 64

static const char *names[ROWS];
static uint32_t cycles[ROWS][PES_MAX]; // at PE 0, an element for each PE
static int rows;
static long from[8] = {1, 2, 3, 4, 5, 6, 7, 8}, to[8];
static int64_t source[1], dest[1], collected[PES_MAX];

// The program's own event timer, which counts down.
static inline uint32_t timer(void) {
    uint32_t now;
    __asm__ volatile("movfs %0, ctimer1" : "=r"(now) : : "memory");
    return now;
}

static void timer_start(void) {
    uint32_t config;
    __asm__ volatile("movts ctimer1, %0" : : "r"(UINT32_MAX));
    __asm__ volatile("movfs %0, config\n\torr %0, %0, %1\n\tmovts config, %0" : "=&r"(config) : "r"(0x100) : "cc");
}

#define MEASURE(NAME, WHO, CALL)                                                                                       \
    do {                                                                                                               \
        uint32_t taken = 0;                                                                                            \
        shmem_barrier_all();                                                                                           \
        if (WHO) {                                                                                                     \
            CALL;                                                                                                      \
            uint32_t begin = timer();                                                                                  \
            for (int i = 0; i < CALLS; i++) CALL;                                                                      \
            taken = begin - timer();                                                                                   \
        }                                                                                                              \
        shmem_barrier_all();                                                                                           \
        names[rows] = NAME;                                                                                            \
        shmem_uint32_p(&cycles[rows++][me], taken, 0);                                                                 \
    } while (0)
#define ALONE(NAME, CALL) MEASURE(NAME, me == 0, CALL)
#define TOGETHER(NAME, CALL) MEASURE(NAME, true, CALL)

int main(void) {
    shmem_init();
    timer_start();
    const int me = shmem_my_pe(), pes = shmem_n_pes(), right = me + 1 < pes ? me + 1 : 0;
    ALONE("shmem_long_p", shmem_long_p(to, 1, right));
    ALONE("shmem_long_g", (void)shmem_long_g(to, right));
    ALONE("shmem_putmem, 8 bytes", shmem_putmem(to, from, 8, right));
    ALONE("shmem_putmem, 32 bytes", shmem_putmem(to, from, 32, right));
    ALONE("shmem_putmem_nbi, 8 bytes", shmem_putmem_nbi(to, from, 8, right));
    ALONE("shmem_long_p and shmem_quiet", (shmem_long_p(to, 1, right), shmem_quiet()));
    ALONE("shmem_long_atomic_fetch_add", (void)shmem_long_atomic_fetch_add(to, 1, right));
    TOGETHER("shmem_barrier_all", shmem_barrier_all());
    TOGETHER("shmem_sync_all", shmem_sync_all());
    TOGETHER("shmem_int64_broadcast, 8 bytes", shmem_int64_broadcast(SHMEM_TEAM_WORLD, dest, source, 1, 0));
    TOGETHER("shmem_int64_fcollect, 8 bytes", shmem_int64_fcollect(SHMEM_TEAM_WORLD, collected, source, 1));
    TOGETHER("shmem_long_sum_reduce, 4 bytes", shmem_long_sum_reduce(SHMEM_TEAM_WORLD, to, from, 1));
    shmem_barrier_all();
    for (int row = 0; row < rows && me == 0; row++) {
        uint32_t most = 0;
        for (int pe = 0; pe < pes; pe++)
            if (cycles[row][pe] > most) most = cycles[row][pe];
        printf("%s: %u\n", names[row], (unsigned)((most + CALLS / 2) / CALLS));
    }
    shmem_finalize();
    return 0;
}
