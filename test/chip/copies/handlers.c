// SPDX-License-Identifier: BSD-3-Clause
// Handlers of the program's own: each PE interrupts all others again and again, and each handler sees what was put before. Its
// number without a handler waits for one.
#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>

#define ROUNDS 30
#define PES_MAX 16

static unsigned mail[PES_MAX];          // the number of the last letter of each PE; only it writes here
static volatile unsigned seen[PES_MAX]; // by the handler
static unsigned answers[PES_MAX];
static volatile int late;

static void postman(void) {
    for (int pe = 0; pe < shmem_n_pes(); pe++) {
        unsigned number = *(volatile unsigned *)&mail[pe];
        if (number == seen[pe]) continue;
        seen[pe] = number;
        shmem_uint_p(&answers[shmem_my_pe()], number, pe);
    }
}

static void latecomer(void) {
    late++;
}

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), pes = shmem_n_pes();
    shmemx_on_interrupt(2, postman);
    shmem_barrier_all();
    for (unsigned round = 1; round <= ROUNDS; round++) {
        for (int pe = 0; pe < pes; pe++) {
            shmem_uint_p(&mail[me], round, pe);
            shmemx_interrupt(pe, 2);
        }
        for (int pe = 0; pe < pes; pe++) shmem_uint_wait_until(&answers[pe], SHMEM_CMP_EQ, round);
    }
    shmem_barrier_all();
    int failures = 0;
    for (int pe = 0; pe < pes; pe++) failures += seen[pe] != ROUNDS;
    shmemx_interrupt((me + 1) % pes, SHMEMX_INTERRUPT_NUMBERS - 1);
    shmem_barrier_all();
    failures += late != 0;
    shmemx_on_interrupt(SHMEMX_INTERRUPT_NUMBERS - 1, latecomer);
    while (!late) continue;
    shmem_barrier_all();
    failures += late != 1;
    if (failures) printf("PE %d: %d failures\n", me, failures);
    shmem_finalize();
    return failures;
}
