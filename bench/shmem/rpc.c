// SPDX-License-Identifier: BSD-3-Clause
// Measures remote procedure calls. PE 0 calls an empty function on PE 1, which waits: one call at a time, and with many
// calls in flight. Also measures the update of a small record on PE 0 by all PEs: by calls, by atomics, and by get and
// put under a lock.
#include "measure.h"

#if __has_include(<shmemx.h>)
#include <shmemx.h>
#endif

#ifdef RPC

static void nothing(long *word) {
    (void)word;
}
RPC_ASYNC(nothing, (long *word), (word))

static long *word; // symmetric

static void loop_call(const struct measurement *m, long count) {
    long *there = shmemx_global(word, m->peer);
    for (long i = 0; i < count; ++i) nothing_rpc(there);
}

// Largest number of calls that loop_async has in flight. A queue holds 64 calls by default (SKERRY_RPC_DEPTH_DEFAULT in
// src/rpc/queue/message.h).
#define WINDOW 32
static void loop_async(const struct measurement *m, long count) {
    static shmemx_rpc_event_t events[WINDOW];
    long *there = shmemx_global(word, m->peer);
    for (long i = 0; i < count; ++i) {
        if (i >= WINDOW) shmemx_rpc_wait(&events[i % WINDOW], NULL);
        events[i % WINDOW] = nothing_async(there);
    }
    shmemx_rpc_wait_all(events, count < WINDOW ? (size_t)count : WINDOW, NULL);
}

// -- A record: the number of values, their sum and the largest value ---------------------------------------------------

struct record {
    long count, sum, largest;
};
static struct record *shared; // symmetric; only PE 0's record is used
static long *lock;
static long updates; // number of updates by this PE

static long next_value(void) {
    static long value;
    value = (value * 5 + 3) % 1021;
    return value;
}

static void update(struct record *record, long value) {
    record->count++;
    record->sum += value;
    if (value > record->largest) record->largest = value;
}
RPC_ASYNC(update, (struct record * record, long value), (record, value))

static void loop_update_call(const struct measurement *m, long count) {
    (void)m;
    struct record *there = shmemx_global(shared, 0);
    // Only PE 0 is allowed to change the record, because the record has no lock. A caller that finds PE 0's queue full
    // must therefore wait for a free slot and not run the function itself. PE 0 masks requests while it updates the
    // record itself. Then no request runs in the middle of its update.
    shmemx_rpc_when_full(SHMEMX_RPC_WAIT);
    for (long i = 0; i < count; ++i) {
        if (bench_me == 0) shmemx_rpc_mask();
        update_rpc(there, next_value());
        if (bench_me == 0) shmemx_rpc_unmask();
    }
    updates += count;
}

static void loop_update_post(const struct measurement *m, long count) {
    (void)m;
    struct record *there = shmemx_global(shared, 0);
    shmemx_rpc_when_full(SHMEMX_RPC_WAIT);
    for (long i = 0; i < count; ++i) {
        if (bench_me == 0) shmemx_rpc_mask();
        update_post(there, next_value());
        if (bench_me == 0) shmemx_rpc_unmask();
    }
    if (bench_me != 0) update_rpc(there, 0); // returns after all posted updates of this PE have run
    updates += count + (bench_me != 0);
}

static void loop_update_atomics(const struct measurement *m, long count) {
    (void)m;
    for (long i = 0; i < count; ++i) {
        long value = next_value();
        shmem_long_atomic_inc(&shared->count, 0);
        shmem_long_atomic_add(&shared->sum, value, 0);
        for (long seen = shmem_long_atomic_fetch(&shared->largest, 0); seen < value;) {
            long before = shmem_long_atomic_compare_swap(&shared->largest, seen, value, 0);
            if (before == seen) break;
            seen = before;
        }
    }
    updates += count;
}

static void loop_update_lock(const struct measurement *m, long count) {
    (void)m;
    for (long i = 0; i < count; ++i) {
        struct record local;
        shmem_set_lock(lock);
        shmem_getmem(&local, shared, sizeof local, 0);
        update(&local, next_value());
        shmem_putmem(shared, &local, sizeof local, 0);
        shmem_quiet();
        shmem_clear_lock(lock);
    }
    updates += count;
}

static bool verify_updates(const struct measurement *m) {
    (void)m;
    static long mine, all;
    mine = updates;
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &all, &mine, 1);
    bool holds = bench_me != 0 || shared->count == all;
    if (bench_me == 0) *shared = (struct record){0};
    updates = 0;
    shmem_barrier_all();
    return holds;
}

int main(int argument_count, char **arguments) {
    measure_start(argument_count, arguments);
    word = shmem_calloc(1, 64);
    shared = shmem_calloc(1, 64);
    lock = shmem_calloc(1, 64);
    struct measurement call = {.who = who_first, .peer = 1};
    struct measurement together = {.who = who_all, .verify = verify_updates, .divisor = bench_pes};
    if (measure_wanted("rpc")) call.name = "rpc", call.loop = loop_call, measure(call);
    if (measure_wanted("rpc_async")) call.name = "rpc_async", call.loop = loop_async, measure(call);
    if (measure_wanted("update_rpc")) together.name = "update_rpc", together.loop = loop_update_call, measure(together);
    if (measure_wanted("update_post"))
        together.name = "update_post", together.loop = loop_update_post, measure(together);
    if (measure_wanted("update_atomics"))
        together.name = "update_atomics", together.loop = loop_update_atomics, measure(together);
    if (measure_wanted("update_lock"))
        together.name = "update_lock", together.loop = loop_update_lock, measure(together);
    measure_end();
    return 0;
}

#else

int main(int argument_count, char **arguments) {
    static const char *const names[] = {"rpc",         "rpc_async",      "update_rpc",
                                        "update_post", "update_atomics", "update_lock"};
    measure_start(argument_count, arguments);
    for (int i = 0; i < 6; i++)
        if (measure_wanted(names[i])) measure_skip(names[i], "has no remote procedure calls");
    measure_end();
    return 0;
}

#endif
