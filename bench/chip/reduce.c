// SPDX-License-Identifier: BSD-3-Clause
// Measures sums of ints over all PEs by size. The time rises abruptly at the first size that does not fit into a work
// array (pWrk) of the smallest allowed length.
#include "chip.h"

#define BYTES_MAX 4096
static int source[BYTES_MAX / 4], dest[BYTES_MAX / 4];
static int work[BYTES_MAX / 8 + 1];
static long sync_words[SHMEM_REDUCE_SYNC_SIZE];

static const uint16_t sizes[] = {4, 8, 16, 24, 32, 40, 48, 64, 96, 128, 256, 512, 1024, 2048, 4096};

int main(void) {
    shmem_init();
    timer_start();
    int me = shmem_my_pe(), pes = shmem_n_pes();
    for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++) sync_words[i] = SHMEM_SYNC_VALUE;
    (void)me;
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint32_t bytes = sizes[i];
        shmem_barrier_all();
        uint32_t cycles = CYCLES(shmem_int_sum_to_all(dest, source, (int)(bytes / 4), 0, 0, pes, work, sync_words));
        shmem_barrier_all();
        note("sum_int", pes, bytes, cycles);
    }
    note("work_array", pes, SHMEM_REDUCE_MIN_WRKDATA_SIZE * sizeof(int), 0);
    tell();
    shmem_finalize();
    return 0;
}
