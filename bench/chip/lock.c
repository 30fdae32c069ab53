// SPDX-License-Identifier: BSD-3-Clause
// Measures how long a PE needs to set and clear a lock. First each PE sets and clears the lock alone, one PE after the
// other. The lock's queue of waiting PEs is in the memory of PE 0. The time of a PE therefore depends on the distance
// between its core and the core of PE 0. Then all PEs set and clear the lock at once.
#include "chip.h"

#define CALLS 16
static long lock;

static void turns(int count) {
    while (count--) {
        shmem_set_lock(&lock);
        shmem_clear_lock(&lock);
    }
}

int main(void) {
    shmem_init();
    timer_start();
    int me = shmem_my_pe(), pes = shmem_n_pes();
    for (int pe = 0; pe < pes; pe++) {
        shmem_barrier_all();
        uint32_t cycles = NOT_MEASURED;
        if (me == pe) cycles = CYCLES(turns(CALLS));
        shmem_barrier_all();
        note(pe == 0 ? "lock_home" : pe == 1 ? "lock_next" : "lock_far", 1, CALLS, cycles);
    }
    shmem_barrier_all();
    uint32_t cycles = CYCLES(turns(CALLS));
    shmem_barrier_all();
    note("lock_shared", pes, CALLS, cycles);
    tell();
    shmem_finalize();
    return 0;
}
