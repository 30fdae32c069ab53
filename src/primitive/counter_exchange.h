// SPDX-License-Identifier: BSD-3-Clause
// Defines a barrier of workers by counters in hardware, for machines with SKERRY_EVENTS. It is a dissemination barrier
// (Hensgen, Finkel and Manber 1988), in which a worker sends to several others in each round: in round i worker w adds 1
// to a counter of each of the workers w + j * 4^i (j from 1 to 3; modulo the number of workers). Then it waits until
// enough workers have added to its own counter of this round. After log4(workers) rounds each worker knows that all have
// arrived. A counter near its worker costs one load to poll, however many workers add to it. So 4 workers need one round,
// 16 two, and 64 three.
//
// Counters are never set back: each barrier waits until a counter is larger by the number of additions. A worker can be
// one barrier ahead of another one, and add to its counter a second time before a third worker has added for the first
// time. The second addition is then taken for the missing one. That does no harm, because a worker that is one barrier
// ahead has left the last barrier, so all have arrived at it. The model is test/model/counter_exchange.pml.
//
// Who writes what: a counter only adds, so every worker may add to it at any time. Only the worker itself uses its
// struct skerry_exchange, which lies in its own memory.
#ifndef SKERRY_PRIMITIVE_COUNTER_EXCHANGE_H
#define SKERRY_PRIMITIVE_COUNTER_EXCHANGE_H

#include "wait.h"

#if SKERRY_EVENTS && !SKERRY_EVENT_TARGETS

#include "flag_exchange.h"

#elif SKERRY_EVENTS

#define SKERRY_EXCHANGE_WAYS 4 // 2 and 8 ways are slower with 16 and 64 workers (docs/design/openmp-chip.md)
#define SKERRY_EXCHANGE_ROUNDS 3
#define SKERRY_EXCHANGE_WORKERS_MAX 64 // WAYS to the power ROUNDS

struct skerry_exchange_round {
    // The counters to which the worker adds 1. If there are fewer workers, the rest is `unused` of struct skerry_exchange.
    struct skerry_event_counter *to[SKERRY_EXCHANGE_WAYS - 1];
    struct skerry_event_counter *own;
    uint32_t count;  // number of additions to `own` in a barrier
    uint32_t wanted; // least value of `own` after the last barrier
};

// What a worker needs for its barriers.
struct skerry_exchange {
    struct skerry_exchange_round rounds[SKERRY_EXCHANGE_ROUNDS];
    const struct skerry_exchange_round *end; // behind the last round that is used
    struct skerry_event_counter *unused;     // a counter of the worker, to which nobody listens
};

// Frees the struct that skerry_exchange_new has made for a worker, with its counters. NULL is allowed.
__attribute__((unused)) static SKERRY_COLD void skerry_exchange_free(struct skerry_exchange *exchange) {
    if (!exchange) return;
    for (uint32_t i = 0; i < SKERRY_EXCHANGE_ROUNDS; i++) skerry_event_counter_give(exchange->rounds[i].own);
    skerry_event_counter_give(exchange->unused);
    skerry_memory_give(exchange);
}

// Makes the counters and the struct of one worker. Returns NULL if not enough counters or memory are free.
static SKERRY_COLD struct skerry_exchange *skerry_exchange_take(int worker, uint32_t workers) {
    struct skerry_exchange *exchange =
        (struct skerry_exchange *)skerry_memory_take_near(sizeof *exchange, sizeof(void *), worker);
    if (!exchange) return NULL;
    __builtin_memset(exchange, 0, sizeof *exchange);
    exchange->unused = skerry_event_counter_take(worker);
    bool has_all = exchange->unused != NULL;
    struct skerry_exchange_round *round = exchange->rounds;
    for (uint32_t distance = 1; distance < workers; distance *= SKERRY_EXCHANGE_WAYS, round++) {
        round->own = skerry_event_counter_take(worker);
        has_all &= round->own != NULL;
        for (uint32_t j = 1; j < SKERRY_EXCHANGE_WAYS && j * distance < workers; j++) round->count++;
    }
    exchange->end = round;
    if (has_all) return exchange;
    skerry_exchange_free(exchange);
    return NULL;
}

// Makes what `count` workers need for their barriers. `numbers` are the workers' numbers. Stores each worker's struct in
// `exchanges`. Returns false, and stores NULL for all, if there are too many workers or if not enough counters or memory
// are free. The caller must make the structs visible to the workers.
__attribute__((unused)) static SKERRY_COLD bool skerry_exchange_new(uint32_t count, const int *numbers,
                                                                    struct skerry_exchange **exchanges) {
    bool has_all = count >= 2 && count <= SKERRY_EXCHANGE_WORKERS_MAX;
    for (uint32_t w = 0; w < count; w++) {
        exchanges[w] = has_all ? skerry_exchange_take(numbers[w], count) : NULL;
        has_all &= exchanges[w] != NULL;
    }
    for (uint32_t w = 0; w < count && !has_all; w++) {
        skerry_exchange_free(exchanges[w]);
        exchanges[w] = NULL;
    }
    // Each worker's pointers are loaded once, because they are in another core's memory. Stores to it take no time.
    for (uint32_t w = 0; w < count && has_all; w++) {
        struct skerry_event_counter *const unused = exchanges[w]->unused;
        uint32_t distance = 1;
        for (uint32_t i = 0; distance < count; i++, distance *= SKERRY_EXCHANGE_WAYS) {
            struct skerry_event_counter *const own = exchanges[w]->rounds[i].own;
            for (uint32_t j = 1; j < SKERRY_EXCHANGE_WAYS; j++) {
                const uint32_t before = j * distance;
                if (before >= count) exchanges[w]->rounds[i].to[j - 1] = unused;
                else exchanges[w < before ? w + count - before : w - before]->rounds[i].to[j - 1] = own;
            }
        }
    }
    return has_all;
}

// Sends the worker's additions of a round. Before those of the first round the caller must complete its stores. Then
// every worker that has left the barrier sees everything that the calling worker stored before. Workers that pass the
// arrival on in later rounds need not complete their stores again.
SKERRY_ALWAYS_INLINE void skerry_exchange_send(const struct skerry_exchange_round *round) {
    for (uint32_t j = 0; j < SKERRY_EXCHANGE_WAYS - 1; j++) skerry_event_counter_add(round->to[j], 1);
}

// Begins the wait of a round: returns the least value that the worker's counter gets in this barrier.
SKERRY_ALWAYS_INLINE uint32_t skerry_exchange_begin_wait(struct skerry_exchange_round *round) {
    return round->wanted += round->count;
}

// Returns true if all additions of the round have arrived. The load is an acquire.
SKERRY_ALWAYS_INLINE bool skerry_exchange_has_come(const struct skerry_exchange_round *round, uint32_t wanted) {
    return (int32_t)(skerry_event_counter_value(round->own) - wanted) >= 0;
}

#endif

#endif
