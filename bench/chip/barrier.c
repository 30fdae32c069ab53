// SPDX-License-Identifier: BSD-3-Clause
// Measures barriers, one directly after the other: of all PEs, and of the first 2, 3 and so on up to all PEs.
#include "chip.h"

#define CALLS 16
static long sync_words[SHMEM_BARRIER_SYNC_SIZE];

#define MEASURE(NAME, COUNT, CALL)                                                                                     \
    do {                                                                                                               \
        shmem_barrier_all();                                                                                           \
        uint32_t cycles = NOT_MEASURED;                                                                                \
        if (me < (COUNT)) {                                                                                            \
            CALL; /* after this call all COUNT PEs are at this point */                                                \
            cycles = CYCLES(for (int i = 0; i < CALLS; i++) CALL);                                                     \
        }                                                                                                              \
        shmem_barrier_all();                                                                                           \
        note(NAME, COUNT, CALLS, cycles);                                                                              \
    } while (0)

int main(void) {
    shmem_init();
    timer_start();
    int me = shmem_my_pe(), pes = shmem_n_pes();
    for (int i = 0; i < SHMEM_BARRIER_SYNC_SIZE; i++) sync_words[i] = SHMEM_SYNC_VALUE;
    MEASURE("barrier_all", pes, shmem_barrier_all());
    MEASURE("sync_all", pes, shmem_sync_all());
    for (int count = 2; count <= pes; count++) {
        shmem_team_t team = SHMEM_TEAM_INVALID;
        shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, count, NULL, 0, &team);
        MEASURE("group_barrier", count, shmem_barrier(0, 0, count, sync_words));
        MEASURE("group_sync", count, shmem_sync(0, 0, count, sync_words));
        MEASURE("team_sync", count, shmem_team_sync(team));
        if (team != SHMEM_TEAM_INVALID) shmem_team_destroy(team);
    }
    tell();
    shmem_finalize();
    return 0;
}
