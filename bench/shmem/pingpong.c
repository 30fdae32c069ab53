// SPDX-License-Identifier: BSD-3-Clause
// Measures half a round trip between PEs 0 and 1. Each PE waits for the other PE's number before it sends its own.
#include "measure.h"

static long number; // number of the last exchange; equal on both PEs between batches

static void loop_p(const struct measurement *m, long count) {
    long *flag = m->destination;
    const int other = 1 - bench_me;
    for (const long last = number + count; number < last;) {
        ++number;
        if (bench_me == 0) shmem_long_p(flag, number, other);
        shmem_long_wait_until(flag, SHMEM_CMP_GE, number);
        if (bench_me == 1) shmem_long_p(flag, number, other);
    }
    shmem_quiet();
}

// Flag of loop_put_signal. A PE sends data and then this flag by shmem_putmem_signal. An implementation of OpenSHMEM
// before 1.5 lacks this routine. With such an implementation the PE calls shmem_putmem, shmem_fence and shmem_long_p.
static uint64_t *flag_word;

static void send(const struct measurement *m, int other) {
#if BENCH_TEAMS
    shmem_putmem_signal(m->destination, m->source, m->bytes, flag_word, (uint64_t)number, SHMEM_SIGNAL_SET, other);
#else
    shmem_putmem(m->destination, m->source, m->bytes, other);
    shmem_fence();
    shmem_long_p((long *)flag_word, number, other);
#endif
}

static void receive(void) {
#if BENCH_TEAMS
    shmem_signal_wait_until(flag_word, SHMEM_CMP_GE, (uint64_t)number);
#else
    shmem_long_wait_until((long *)flag_word, SHMEM_CMP_GE, number);
#endif
}

static void loop_put_signal(const struct measurement *m, long count) {
    const int other = 1 - bench_me;
    for (const long last = number + count; number < last;) {
        ++number;
        if (bench_me == 0) send(m, other);
        receive();
        if (bench_me == 1) send(m, other);
    }
    shmem_quiet();
}

static bool verify(const struct measurement *m) {
    return bench_me > 1 || measure_holds(m->destination, m->bytes, 0, 1 - bench_me);
}

int main(int argument_count, char **arguments) {
    measure_start(argument_count, arguments);
    struct measurement m = {.who = who_pair, .divisor = 2};
    if (measure_wanted("pingpong")) {
        m.name = "pingpong", m.bytes = 8, m.loop = loop_p, m.destination = shmem_calloc(1, 64);
        measure(m);
    }
    if (measure_wanted("pingpong_signal")) {
        number = 0;
        flag_word = shmem_calloc(1, 64);
        m.name = "pingpong_signal", m.loop = loop_put_signal, m.verify = verify;
        m.destination = measure_buffer(measure_most(1)), m.source = measure_buffer(measure_most(1));
        measure_sizes(m, 1, 1);
    }
    measure_end();
    return 0;
}
