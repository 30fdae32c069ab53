// SPDX-License-Identifier: BSD-3-Clause
// Measures puts and gets. PE 0 moves data to or from PE 1, which waits. In a measurement with `quiet` in its name, PE 0
// completes each operation before it issues the next operation. In the other measurements PE 0 calls shmem_quiet only
// at the end of a batch. The time is then how long PE 0 needs to issue an operation.
#include "measure.h"

#include <string.h>

static long words_moved; // value that a loop stored or loaded, for the check; keeps the compiler from dropping loads

// The loops from here to loop_put8_quiet move single elements of eight bytes, by shmem_long_p and shmem_long_g, and by
// put and get. The compiler knows this size.
static void loop_p(const struct measurement *m, long count) {
    long *word = m->destination;
    const int peer = m->peer;
    for (long i = 0; i < count; ++i) shmem_long_p(word, i, peer);
    shmem_quiet();
    words_moved = count - 1;
}

static void loop_g(const struct measurement *m, long count) {
    long *word = m->source; // not const: shmem.h of some 1.4 implementations takes no pointer to const
    const int peer = m->peer;
    long sum = 0;
    for (long i = 0; i < count; ++i) sum += shmem_long_g(word, peer);
    words_moved = sum / count;
}

static void loop_put8(const struct measurement *m, long count) {
    long *word = m->destination;
    const int peer = m->peer;
    for (long i = 0; i < count; ++i) shmem_long_put(word, &i, 1, peer);
    shmem_quiet();
    words_moved = count - 1;
}

static void loop_get8(const struct measurement *m, long count) {
    long *word = m->source; // not const: shmem.h of some 1.4 implementations takes no pointer to const
    const int peer = m->peer;
    long sum = 0;
    for (long i = 0; i < count; ++i) {
        long value;
        shmem_long_get(&value, word, 1, peer);
        sum += value;
    }
    words_moved = sum / count;
}

static void loop_p_quiet(const struct measurement *m, long count) {
    long *word = m->destination;
    const int peer = m->peer;
    for (long i = 0; i < count; ++i) {
        shmem_long_p(word, i, peer);
        shmem_quiet();
    }
    words_moved = count - 1;
}

static void loop_put8_quiet(const struct measurement *m, long count) {
    long *word = m->destination;
    const int peer = m->peer;
    for (long i = 0; i < count; ++i) {
        shmem_long_put(word, &i, 1, peer);
        shmem_quiet();
    }
    words_moved = count - 1;
}

static bool verify_stored(const struct measurement *m) {
    return bench_me != 0 || shmem_long_g(m->destination, m->peer) == words_moved;
}

static bool verify_loaded(const struct measurement *m) {
    return bench_me != 0 || words_moved == shmem_long_g(m->source, m->peer);
}

// The loops from here to loop_put_signal move blocks whose size is known at run time only.
static void loop_put(const struct measurement *m, long count) {
    for (long i = 0; i < count; ++i) shmem_putmem(m->destination, m->source, m->bytes, m->peer);
    shmem_quiet();
}

static void loop_get(const struct measurement *m, long count) {
    for (long i = 0; i < count; ++i) shmem_getmem(m->destination, m->source, m->bytes, m->peer);
}

static void loop_put_quiet(const struct measurement *m, long count) {
    for (long i = 0; i < count; ++i) {
        shmem_putmem(m->destination, m->source, m->bytes, m->peer);
        shmem_quiet();
    }
}

static void loop_get_quiet(const struct measurement *m, long count) {
    for (long i = 0; i < count; ++i) {
        shmem_getmem(m->destination, m->source, m->bytes, m->peer);
        shmem_quiet();
    }
}

// Number of puts in a burst of loop_rate. loop_rate measures non-blocking puts like those of a program that sends many
// messages and waits only for all of them together.
enum { burst = 64 };

static void loop_rate(const struct measurement *m, long count) {
    for (long i = 0; i < count; ++i) {
        for (int message = 0; message < burst; ++message)
            shmem_putmem_nbi(m->destination, m->source, m->bytes, m->peer);
        shmem_quiet();
    }
}

// Signal word of loop_put_signal, in symmetric memory. An implementation of OpenSHMEM before 1.5 has no put with
// signal. With such an implementation the loop calls shmem_putmem, shmem_fence and shmem_long_p instead.
static uint64_t *signal_word;

static void loop_put_signal(const struct measurement *m, long count) {
    for (long i = 0; i < count; ++i) {
#if BENCH_TEAMS
        shmem_putmem_signal(m->destination, m->source, m->bytes, signal_word, (uint64_t)i, SHMEM_SIGNAL_SET, m->peer);
#else
        shmem_putmem(m->destination, m->source, m->bytes, m->peer);
        shmem_fence();
        shmem_long_p((long *)signal_word, i, m->peer);
#endif
    }
    shmem_quiet();
}

static bool verify_put(const struct measurement *m) {
    const int receiver = bench_pes > 1 ? 1 : 0;
    return bench_me != receiver || measure_holds(m->destination, m->bytes, 0, 0);
}

static bool verify_get(const struct measurement *m) {
    return bench_me != 0 || measure_holds(m->destination, m->bytes, 0, m->peer);
}

typedef void loop_function(const struct measurement *, long);
typedef bool verify_function(const struct measurement *);

static void words(const char *name, loop_function *loop, verify_function *verify, void *destination, void *source) {
    if (measure_wanted(name))
        measure((struct measurement){.name = name,
                                     .who = who_first,
                                     .bytes = 8,
                                     .loop = loop,
                                     .verify = verify,
                                     .destination = destination,
                                     .source = source});
}

static void blocks(const char *name, loop_function *loop, verify_function *verify, double divisor, void *destination,
                   void *source) {
    if (measure_wanted(name))
        measure_sizes((struct measurement){.name = name,
                                           .who = who_first,
                                           .loop = loop,
                                           .verify = verify,
                                           .divisor = divisor,
                                           .destination = destination,
                                           .source = source},
                      1, 1);
}

int main(int argument_count, char **arguments) {
    measure_start(argument_count, arguments);
    const size_t most = measure_most(1);
    uint8_t *source = measure_buffer(most), *destination = measure_buffer(most);
    memset(destination, 0, most);
    signal_word = shmem_calloc(1, 64);
    blocks("put", loop_put, verify_put, 1, destination, source);
    blocks("put_quiet", loop_put_quiet, verify_put, 1, destination, source);
    blocks("put_signal", loop_put_signal, verify_put, 1, destination, source);
    blocks("rate", loop_rate, verify_put, burst, destination, source);
    blocks("get", loop_get, verify_get, 1, destination, source);
    blocks("get_quiet", loop_get_quiet, verify_get, 1, destination, source);
    words("p", loop_p, verify_stored, destination, source);
    words("put8", loop_put8, verify_stored, destination, source);
    words("p_quiet", loop_p_quiet, verify_stored, destination, source);
    words("put8_quiet", loop_put8_quiet, verify_stored, destination, source);
    *(long *)source = 1000 + bench_me; // small, so that the sum of many loads fits into a long
    words("g", loop_g, verify_loaded, destination, source);
    words("get8", loop_get8, verify_loaded, destination, source);
    measure_end();
    return 0;
}
