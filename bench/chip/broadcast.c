// SPDX-License-Identifier: BSD-3-Clause
// Measures broadcasts by size, over 2 to 16 PEs. Also measures two ways to bring the same data from external memory to
// every PE: each PE fetches it, or one PE fetches and broadcasts it. A figure is the time of the slowest PE, because
// the next step of a program can need all PEs.
#include "chip.h"

#define BYTES_MAX 12288
// `source` and `dest` are allowed to overlap. A broadcast reads `source` only on its root, and writes `dest` only on
// the other PEs.
static char memory[BYTES_MAX + 2048] __attribute__((aligned(8)));
static char *const source = memory, *const dest = memory + 2048;
SHMEMX_SHARED static uint64_t outside[BYTES_MAX / 8];
// All broadcasts use the same synchronization words. OpenSHMEM allows this use, because a barrier separates each
// broadcast from the next one.
static long sync_words[SHMEM_BCAST_SYNC_SIZE];

#define MEASURE(NAME, COUNT, STATEMENT)                                                                                \
    do {                                                                                                               \
        shmem_barrier_all();                                                                                           \
        uint32_t cycles = NOT_MEASURED;                                                                                \
        if (me < (COUNT)) cycles = CYCLES(STATEMENT);                                                                  \
        shmem_barrier_all();                                                                                           \
        note(NAME, COUNT, bytes, cycles);                                                                              \
    } while (0)

static void fetch_and_broadcast(uint32_t bytes, bool by_channel) {
    if (shmem_my_pe() == 0) {
        if (by_channel) shmem_putmem_nbi(source, outside, bytes, 0);
        else shmem_putmem(source, outside, bytes, 0);
        shmem_quiet();
    }
    shmem_broadcast64(dest, source, bytes / 8, 0, 0, 0, shmem_n_pes(), sync_words);
}

int main(void) {
    shmem_init();
    timer_start();
    int me = shmem_my_pe(), pes = shmem_n_pes();
    for (unsigned i = 0; i < SHMEM_BCAST_SYNC_SIZE; i++) sync_words[i] = SHMEM_SYNC_VALUE;
    for (uint32_t bytes = 8; bytes <= BYTES_MAX; bytes = bytes == 8192 ? BYTES_MAX : bytes * 2) {
        for (int count = 2; count <= pes; count++)
            if (bytes == 4096 || (count & (count - 1)) == 0)
                MEASURE("broadcast64", count, shmem_broadcast64(dest, source, bytes / 8, 0, 0, 0, count, sync_words));
        MEASURE("fetch_each", pes, shmem_putmem(dest, outside, bytes, me));
        MEASURE("fetch_each_dma", pes, (shmem_putmem_nbi(dest, outside, bytes, me), shmem_quiet()));
        MEASURE("fetch_one", pes, fetch_and_broadcast(bytes, false));
        MEASURE("fetch_one_dma", pes, fetch_and_broadcast(bytes, true));
    }
    tell();
    shmem_finalize();
    return 0;
}
