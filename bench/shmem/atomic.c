// SPDX-License-Identifier: BSD-3-Clause
// Measures atomics of PE 0 on a word of PE 1. PE 1 meanwhile waits at another word, so only PE 0 uses the cache line of
// the measured word. In the measurement fetch_add_shared all PEs update one word of PE 0.
#include "measure.h"

static long expected;         // value of the word after all operations of PE 0
static volatile long fetched; // keeps the compiler from dropping the fetched values

static void loop_fetch_add(const struct measurement *m, long count) {
    long *word = m->destination;
    const int peer = m->peer;
    long sum = 0;
    for (long i = 0; i < count; ++i) sum += shmem_long_atomic_fetch_add(word, 1, peer);
    fetched = sum;
    expected += count;
}

static void loop_add(const struct measurement *m, long count) {
    long *word = m->destination;
    const int peer = m->peer;
    for (long i = 0; i < count; ++i) shmem_long_atomic_add(word, 1, peer);
    shmem_quiet();
    expected += count;
}

// Measures compare-and-swaps that all succeed, because `value` is always the current value of the word.
static void loop_cswap(const struct measurement *m, long count) {
    long *word = m->destination;
    const int peer = m->peer;
    long value = expected;
    long sum = 0;
    for (long i = 0; i < count; ++i, ++value) sum += shmem_long_atomic_compare_swap(word, value, value + 1, peer);
    fetched = sum;
    expected = value;
}

static void loop_swap(const struct measurement *m, long count) {
    long *word = m->destination;
    const int peer = m->peer;
    long sum = 0;
    for (long i = 0; i < count; ++i) sum += shmem_long_atomic_swap(word, i, peer);
    fetched = sum;
    expected = count - 1;
}

static void loop_fetch(const struct measurement *m, long count) {
    long *word = m->destination;
    const int peer = m->peer;
    long sum = 0;
    for (long i = 0; i < count; ++i) sum += shmem_long_atomic_fetch(word, peer);
    fetched = sum;
    if (sum != count * expected) expected = -1; // makes verify fail
}

// Measures atomics of all PEs on one word of PE 0. The PEs compete for the cache line of this word.
static void loop_fetch_add_shared(const struct measurement *m, long count) {
    long sum = 0;
    for (long i = 0; i < count; ++i) sum += shmem_long_atomic_fetch_add(m->destination, 1, 0);
    fetched = sum;
}

static bool verify(const struct measurement *m) {
    return bench_me != 0 || shmem_long_g(m->destination, m->peer) == expected;
}

static void one(const char *name, void (*loop)(const struct measurement *, long), long *word) {
    if (measure_wanted(name))
        measure((struct measurement){
            .name = name, .who = who_first, .bytes = 8, .loop = loop, .verify = verify, .destination = word});
}

int main(int argument_count, char **arguments) {
    measure_start(argument_count, arguments);
    long *word = shmem_calloc(1, 64);
    one("fetch_add", loop_fetch_add, word);
    one("cswap", loop_cswap, word);
    one("add", loop_add, word);
    one("swap", loop_swap, word);
    one("fetch", loop_fetch, word);
    if (measure_wanted("fetch_add_shared"))
        measure((struct measurement){.name = "fetch_add_shared",
                                     .who = who_all,
                                     .bytes = 8,
                                     .loop = loop_fetch_add_shared,
                                     .destination = shmem_calloc(1, 64)});
    measure_end();
    return 0;
}
