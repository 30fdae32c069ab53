// SPDX-License-Identifier: BSD-3-Clause
// A PE that waits, in whatever routine and for however long, serves meanwhile; so does one that sleeps in the kernel.
#include "rpc.h"

#include <time.h>
#include <unistd.h>

#define CALLS 30

static long calls, word, sources[4], sums[4], lock;
static uint64_t signal_word;

static long count(long *at) {
    return __atomic_add_fetch(localize(at), 1, __ATOMIC_RELAXED);
}
RPC(count)

// PE 0 calls all others, who wait for it in one way or another.
static void call_all(void) {
    test_sleep_ms(40); // they have gone to sleep
    for (int i = 0; i < CALLS; i++)
        for (int pe = 1; pe < pes; pe++) count_rpc(address_at(&calls, pe));
}

static void require_calls(const char *where) {
    shmem_barrier_all();
    REQUIRE(me == 0 || calls == CALLS, "%s: %ld calls", where, calls);
    calls = 0;
    shmem_barrier_all();
}

static void sleep_for_long(void) {
    struct timespec left = {.tv_nsec = 300000000};
    while (nanosleep(&left, &left) != 0) continue; // a signal ends it, and it says what is left
}

int main(void) {
    test_begin();
    shmem_barrier_all();

    if (me == 0) call_all();
    shmem_barrier_all();
    require_calls("barrier");

    if (me == 0) {
        call_all();
        for (int pe = 1; pe < pes; pe++) shmem_long_p(&word, 1, pe);
    } else {
        shmem_long_wait_until(&word, SHMEM_CMP_EQ, 1);
    }
    require_calls("wait_until");

    if (me == 0) {
        call_all();
        for (int pe = 1; pe < pes; pe++) shmem_uint64_p(&signal_word, 1, pe);
    } else {
        shmem_signal_wait_until(&signal_word, SHMEM_CMP_EQ, 1);
    }
    require_calls("signal_wait_until");

    if (me == 0) shmem_set_lock(&lock);
    shmem_barrier_all();
    if (me == 0) {
        call_all();
        shmem_clear_lock(&lock);
    } else {
        shmem_set_lock(&lock);
        shmem_clear_lock(&lock);
    }
    require_calls("set_lock");

    if (me == 0) call_all();
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, sums, sources, 4);
    require_calls("a reduction");

    if (me == 0) call_all();
    shmem_free(shmem_malloc(100));
    require_calls("malloc");

    if (me == 0) call_all();
    else sleep_for_long();
    require_calls("a long sleep");
    return test_end();
}
