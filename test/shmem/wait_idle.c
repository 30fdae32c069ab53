// SPDX-License-Identifier: BSD-3-Clause
// A PE that waits long uses next to no processor time, however it waits: on a word, on a signal, on any of many words, in
// a barrier, in a collective, for a lock.
// pes: 2 3 8
// skip: epiphany
#define _GNU_SOURCE
#include "test.h"

#include <sys/resource.h>

#define IDLE_MS 150
#define BUSY_MAX 0.030 // seconds

static long words[4];
static uint64_t signal;
static long lock;
static long source = 1, dest;

static double processor_seconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec * 1e-6 + (double)usage.ru_stime.tv_sec +
           (double)usage.ru_stime.tv_usec * 1e-6;
}

// What all PEs but the last do while the last one is away.
static void wait_in(int way, long value) {
    switch (way) {
    case 0: shmem_long_wait_until(&words[0], SHMEM_CMP_EQ, value); break;
    case 1: shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, (uint64_t)value); break;
    case 2: (void)shmem_long_wait_until_any(words, 4, NULL, SHMEM_CMP_EQ, value); break;
    case 3: shmem_long_wait_until_all(words, 1, NULL, SHMEM_CMP_EQ, value); break;
    case 4: shmem_barrier_all(); break;
    case 5: shmem_sync_all(); break;
    case 6: shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &dest, &source, 1); break;
    default: shmem_set_lock(&lock); shmem_clear_lock(&lock);
    }
}

static void release(int way, long value) {
    if (way >= 4) {
        if (way == 7) shmem_clear_lock(&lock);
        if (way < 7) wait_in(way, value);
        return;
    }
    for (int pe = 0; pe < pes; pe++)
        if (way == 1) shmem_signal_set(&signal, (uint64_t)value, pe);
        else shmem_long_p(&words[0], value, pe);
}

int main(void) {
    static const char *const names[] = {"wait_until",  "signal_wait_until", "wait_until_any", "wait_until_all",
                                        "barrier_all", "sync_all",          "sum_reduce",     "set_lock"};
    test_begin();
    for (int way = 0; way < 8; way++) {
        if (me == pes - 1 && way == 7) shmem_set_lock(&lock);
        shmem_barrier_all();
        if (me == pes - 1) {
            test_sleep_ms(IDLE_MS);
            release(way, way + 1);
        } else {
            double before = processor_seconds();
            wait_in(way, way + 1);
            double busy = processor_seconds() - before;
            REQUIRE(busy < BUSY_MAX, "%s used %.0f ms of the processor in %d ms", names[way], busy * 1e3, IDLE_MS);
        }
    }
    shmem_barrier_all();
    return test_end();
}
