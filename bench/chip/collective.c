// SPDX-License-Identifier: BSD-3-Clause
// Measures collect, fcollect and alltoall by size. A figure is the time of the slowest PE, because the next step of a
// program can need all PEs.
#include "chip.h"

#define BYTES_MAX 4096 // bytes of all PEs together; there are at most 16 PEs
static uint64_t source[BYTES_MAX / 8], dest[BYTES_MAX / 8];
static long sync_words[SHMEM_COLLECT_SYNC_SIZE], alltoall_words[SHMEM_ALLTOALL_SYNC_SIZE];

#define MEASURE(NAME, STATEMENT)                                                                                       \
    do {                                                                                                               \
        shmem_barrier_all();                                                                                           \
        uint32_t cycles = CYCLES(STATEMENT);                                                                           \
        shmem_barrier_all();                                                                                           \
        note(NAME, pes, bytes, cycles);                                                                                \
    } while (0)

int main(void) {
    shmem_init();
    timer_start();
    int pes = shmem_n_pes();
    for (unsigned i = 0; i < SHMEM_COLLECT_SYNC_SIZE; i++) sync_words[i] = SHMEM_SYNC_VALUE;
    for (unsigned i = 0; i < SHMEM_ALLTOALL_SYNC_SIZE; i++) alltoall_words[i] = SHMEM_SYNC_VALUE;
    for (uint32_t bytes = 8; bytes <= BYTES_MAX / 16; bytes *= 2) {
        MEASURE("collect64", shmem_collect64(dest, source, bytes / 8, 0, 0, pes, sync_words));
        MEASURE("fcollect64", shmem_fcollect64(dest, source, bytes / 8, 0, 0, pes, sync_words));
        MEASURE("alltoall64", shmem_alltoall64(dest, source, bytes / 8, 0, 0, pes, alltoall_words));
    }
    tell();
    shmem_finalize();
    return 0;
}
