// SPDX-License-Identifier: BSD-3-Clause
// Defines the barrier of workers for machines with SKERRY_EVENTS whose counters are words of a memory that all workers
// share (SKERRY_EVENT_TARGETS is 0). Each worker adds 1 to one counter. The last one sets the counter to 0, and stores the
// barrier's number to a flag of each worker. counter_exchange.h, which includes this file, has the barrier for other
// machines.
//
// Why not the dissemination barrier: each of its rounds takes a worker three additions and the wait for three others, and 16
// workers need two. Here 16 additions to one word take 16 cycles, and 8 stores to flags in 8 banks take 8. Two workers poll
// each flag, so polls delay each other and the store little. In a loop of barriers the workers arrive in the order in
// which the last barrier has released them, so nobody waits for the counter. On mppa-cluster with 16 threads the barrier
// of OpenMP took 124 cycles with counter_exchange.h, and takes 57 with this file.
//
// Who writes what: the last worker to arrive owns the counter and the flags until it has stored the last flag. No worker
// arrives at the next barrier before its flag was stored, and the counter is 0 before that. Only the worker itself uses its
// struct skerry_exchange. The addition is a release, because the caller has a fence before it. It is an acquire for the last
// worker, because on these machines an atomic operation ends before the core's next instruction begins. The stores to flags
// are releases, because skerry_complete_stores is before them.
#ifndef SKERRY_PRIMITIVE_FLAG_EXCHANGE_H
#define SKERRY_PRIMITIVE_FLAG_EXCHANGE_H

#define SKERRY_EXCHANGE_WORKERS_MAX SKERRY_WORKERS_MAX
#define SKERRY_FLAG_WORKERS 2 // workers that poll one flag
struct skerry_flag {
    _Alignas(8) uint32_t number; // of the last barrier that is complete
};

// What the workers of a barrier share.
struct skerry_meeting {
    _Alignas(8) uint32_t arrived; // number of workers that have arrived at this barrier
    struct skerry_flag flags[SKERRY_EXCHANGE_WORKERS_MAX / SKERRY_FLAG_WORKERS];
};

// What a worker needs for its barriers.
struct skerry_exchange {
    struct skerry_meeting *meeting;
    const struct skerry_flag *own;
    uint32_t others;              // number of workers - 1
    uint32_t number;              // number of barriers that this worker has begun
    void *context;                // for the caller
    struct skerry_meeting *owned; // in the first worker's struct, which is freed with it; else NULL
};

// Frees the struct that skerry_exchange_new has made for a worker. The first worker's frees what all share. NULL is
// allowed.
__attribute__((unused)) static SKERRY_COLD void skerry_exchange_free(struct skerry_exchange *exchange) {
    if (!exchange) return;
    skerry_memory_give(exchange->owned);
    skerry_memory_give(exchange);
}

// Makes what `count` workers need for their barriers, as that of counter_exchange.h does. `context` is NULL.
__attribute__((unused)) static SKERRY_COLD bool skerry_exchange_new(uint32_t count, const int *numbers,
                                                                    struct skerry_exchange **exchanges) {
    struct skerry_meeting *meeting = NULL;
    bool has_all = count >= 2 && count <= SKERRY_EXCHANGE_WORKERS_MAX;
    if (has_all) meeting = (struct skerry_meeting *)skerry_memory_take_near(sizeof *meeting, 8, 0);
    has_all = meeting != NULL;
    if (has_all) __builtin_memset(meeting, 0, sizeof *meeting);
    for (uint32_t w = 0; w < count; w++) {
        exchanges[w] =
            has_all ? (struct skerry_exchange *)skerry_memory_take_near(sizeof **exchanges, 8, numbers[w]) : NULL;
        has_all &= exchanges[w] != NULL;
        if (!exchanges[w]) continue;
        *exchanges[w] = (struct skerry_exchange){.meeting = meeting,
                                                 .own = &meeting->flags[w / SKERRY_FLAG_WORKERS],
                                                 .others = count - 1,
                                                 .owned = w == 0 ? meeting : NULL};
    }
    if (!has_all && count && !exchanges[0]) skerry_memory_give(meeting);
    for (uint32_t w = 0; w < count && !has_all; w++) {
        skerry_exchange_free(exchanges[w]);
        exchanges[w] = NULL;
    }
    return has_all;
}

// Stores a barrier's number to the flags of all workers. Stores four flags and then checks whether there are more: a loop
// would take three more cycles for each check. The second check is arranged for 16 workers.
SKERRY_ALWAYS_INLINE void skerry_exchange_release(struct skerry_flag *flags, uint32_t others, uint32_t number) {
    _Static_assert(SKERRY_EXCHANGE_WORKERS_MAX / SKERRY_FLAG_WORKERS == 16, "as many stores");
#define SKERRY_RELEASE_FOUR(first)                                                                                     \
    __atomic_store_n(&flags[first].number, number, __ATOMIC_RELAXED);                                                  \
    __atomic_store_n(&flags[(first) + 1].number, number, __ATOMIC_RELAXED);                                            \
    __atomic_store_n(&flags[(first) + 2].number, number, __ATOMIC_RELAXED);                                            \
    __atomic_store_n(&flags[(first) + 3].number, number, __ATOMIC_RELAXED)
    SKERRY_RELEASE_FOUR(0);
    if (__builtin_expect(others < 4 * SKERRY_FLAG_WORKERS, 0)) return;
    SKERRY_RELEASE_FOUR(4);
    if (__builtin_expect(others < 8 * SKERRY_FLAG_WORKERS, 1)) return;
    SKERRY_RELEASE_FOUR(8);
    SKERRY_RELEASE_FOUR(12);
#undef SKERRY_RELEASE_FOUR
}

// Adds this worker to those that have arrived at the next barrier. Returns true if it is the last, which must then call
// skerry_exchange_release_all. The caller must have completed its stores.
SKERRY_ALWAYS_INLINE bool skerry_exchange_add(struct skerry_exchange *exchange) {
    const uint32_t before = __atomic_fetch_add(&exchange->meeting->arrived, 1, __ATOMIC_ACQUIRE);
    exchange->number++;
    return before == exchange->others;
}

// Releases all workers from the barrier at which the calling worker has arrived last.
SKERRY_ALWAYS_INLINE void skerry_exchange_release_all(struct skerry_exchange *exchange) {
    __atomic_store_n(&exchange->meeting->arrived, 0, __ATOMIC_RELAXED);
    skerry_complete_stores();
    skerry_exchange_release(exchange->meeting->flags, exchange->others, exchange->number);
}

// Begins a barrier: adds this worker to those that have arrived. If it is the last, releases all and returns true. The
// caller must have completed its stores. Then every worker that has left the barrier sees everything that the calling
// worker stored before.
SKERRY_ALWAYS_INLINE bool skerry_exchange_arrive(struct skerry_exchange *exchange) {
    struct skerry_meeting *const meeting = exchange->meeting;
    const uint32_t others = exchange->others, number = exchange->number + 1;
    const uint32_t before = __atomic_fetch_add(&meeting->arrived, 1, __ATOMIC_RELAXED);
    exchange->number = number;
    if (__builtin_expect(before != others, 0)) return false; // the last worker is the one for which all wait
    __atomic_store_n(&meeting->arrived, 0, __ATOMIC_RELAXED);
    skerry_complete_stores();
    skerry_exchange_release(meeting->flags, others, number);
    return true;
}

// Returns true if all workers have arrived at the barrier with this number, which a worker with this flag has begun. The
// load is an acquire.
SKERRY_ALWAYS_INLINE bool skerry_exchange_has_come(const struct skerry_flag *own, uint32_t number) {
    return __atomic_load_n(&own->number, __ATOMIC_ACQUIRE) == number;
}

#endif
