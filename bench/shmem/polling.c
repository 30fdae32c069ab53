// SPDX-License-Identifier: BSD-3-Clause
// Measures PEs that poll memory in loops of their own, like programs with their own message buffers. These PEs do not
// call a routine that waits. Each PE sends a number to its right neighbour and polls until the number of its left
// neighbour has arrived. Each measurement polls in another way. Run this program with more PEs than processors. The
// time then shows how soon a PE whose polls fail gives its processor to a PE that has something to send.
#include "measure.h"

static long number; // number of the last exchange; equal on all PEs between batches

static long *words; // symmetric, 128 bytes; words[0] receives the left neighbour's number, the rest is unused

static void send(void) {
    shmem_long_p(words, ++number, (bench_me + 1) % bench_pes);
}

static bool has_arrived(void) {
    return *(volatile long *)words >= number;
}

#define LOOP(NAME, POLL)                                                                                               \
    static void loop_##NAME(const struct measurement *m, long count) {                                                 \
        (void)m;                                                                                                       \
        for (long i = 0; i < count; ++i) {                                                                             \
            send();                                                                                                    \
            POLL;                                                                                                      \
        }                                                                                                              \
    }

static long get_one(void) {
    long value;
    shmem_getmem(&value, words, sizeof value, bench_me);
    return value;
}

LOOP(load, while (!has_arrived()))
LOOP(test, while (!shmem_long_test(words, SHMEM_CMP_GE, number)))
LOOP(g, while (shmem_long_g(words, bench_me) < number))
LOOP(get, while (get_one() < number))
LOOP(fetch, while (shmem_long_atomic_fetch(words, bench_me) < number))
LOOP(add, while (shmem_long_atomic_fetch_add(words, 0, bench_me) < number))
LOOP(quiet, while (!has_arrived()) shmem_quiet())
LOOP(fence, while (!has_arrived()) shmem_fence())
LOOP(quiet_first, shmem_quiet(); while (!has_arrived()))
LOOP(wait, shmem_long_wait_until(words, SHMEM_CMP_GE, number))

int main(int argument_count, char **arguments) {
    static const struct {
        const char *name;
        void (*loop)(const struct measurement *, long);
    } kinds[] = {{"poll_load", loop_load},   {"poll_test", loop_test},   {"poll_g", loop_g},
                 {"poll_get", loop_get},     {"poll_fetch", loop_fetch}, {"poll_add", loop_add},
                 {"poll_quiet", loop_quiet}, {"poll_fence", loop_fence}, {"poll_quiet_first", loop_quiet_first},
                 {"poll_wait", loop_wait}};
    measure_start(argument_count, arguments);
    words = shmem_calloc(2, 64);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        if (!measure_wanted(kinds[i].name)) continue;
        shmem_barrier_all();
        measure((struct measurement){.name = kinds[i].name, .who = who_all, .loop = kinds[i].loop});
    }
    measure_end();
    return 0;
}
