// SPDX-License-Identifier: BSD-3-Clause
// Measures shmem_set_lock followed by shmem_clear_lock, by PE 0 alone and by all PEs at once. In the second case each
// PE increments a counter on PE 0 while it holds the lock.
#include "measure.h"

static long *guarded; // counter on PE 0; a PE changes it only while it holds the lock
static long own_turns;

static void loop_lock(const struct measurement *m, long count) {
    for (long i = 0; i < count; ++i) {
        shmem_set_lock(m->destination);
        shmem_clear_lock(m->destination);
    }
}

static void loop_shared(const struct measurement *m, long count) {
    for (long i = 0; i < count; ++i) {
        shmem_set_lock(m->destination);
        shmem_long_p(guarded, shmem_long_g(guarded, 0) + 1, 0);
        shmem_quiet();
        shmem_clear_lock(m->destination);
    }
    own_turns += count;
}

// Returns true if PE 0's counter has counted the turns of all PEs. Every PE has made the same number of turns.
static bool verify_shared(const struct measurement *m) {
    (void)m;
    return bench_me != 0 || *guarded == own_turns * bench_pes;
}

int main(int argument_count, char **arguments) {
    measure_start(argument_count, arguments);
    long *lock = shmem_calloc(1, 64);
    guarded = shmem_calloc(1, 64);
    if (measure_wanted("lock"))
        measure((struct measurement){.name = "lock", .who = who_first, .loop = loop_lock, .destination = lock});
    if (measure_wanted("lock_shared"))
        measure((struct measurement){.name = "lock_shared",
                                     .who = who_all,
                                     .loop = loop_shared,
                                     .verify = verify_shared,
                                     .divisor = bench_pes,
                                     .destination = lock});
    measure_end();
    return 0;
}
