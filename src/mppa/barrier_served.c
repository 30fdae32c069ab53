// SPDX-License-Identifier: BSD-3-Clause
// Passes barriers on machines whose programs cannot load from each other's memory. A program's arrival is a message to PE 0,
// whose server counts it. When all programs of a barrier have arrived, the server puts the number of the next round to each
// PE that waits. So a program waits for a word of its own memory. Waiting programs send nothing, and skerry-sim finds that a
// wait can never end.
//
// Who changes what:
// * The barriers are in PE 0's memory. Its server and its threads change them under one lock, which is held for a short time:
//   the holder waits for nothing but the network, which needs no server.
// * The words `released` of a PE are changed only by PE 0, by puts under the same lock. They arrive in the order in which they
//   were sent, so the number only grows.
// * A program that arrives learns the number of its round by the answer to its message. It waits until `released` is larger.
//   A word of an earlier round, which arrives late, does not release it.
#include "internal.h"

#if !SKERRY_PRIVATE_MEMORY

#define MESSAGE 5 // number of the handler of arrivals
#define NO_BARRIER UINT32_MAX

struct arrival {
    uint64_t clusters;
    uint32_t count;
};

struct answer {
    uint32_t number; // of the barrier
    uint32_t round;
};

// skerry-sim reads these (sim/chip/program_waits.cpp). Only PE 0 uses them. Element 0 is the barrier of all clusters.
struct skerry_mppa_barrier skerry_mppa_barriers[SKERRY_MPPA_BARRIERS];
static uint32_t lock;

void skerry_mppa_lock_served(void) {
    while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE)) {
    }
}

void skerry_mppa_unlock_served(void) {
    __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
}

void skerry_mppa_put_to_waiting(uint64_t *word, uint64_t value, uint32_t pes) {
    for (int pe = 0; pe < SKERRY_MPPA_PES; pe++) {
        if (!(pes >> pe & 1)) continue;
        if (pe == SKERRY_MPPA_MASTER) skerry_put_value(uint64_t, word, value, pe);
        else skerry_far_put_by_handler(word, value, pe);
    }
}

static uint32_t number_of(uint64_t clusters) {
    if (clusters == SKERRY_MPPA_ALL_CLUSTERS) return 0;
    for (uint32_t number = 1; number < SKERRY_MPPA_BARRIERS; number++) {
        struct skerry_mppa_barrier *barrier = &skerry_mppa_barriers[number];
        if (barrier->clusters == 0) barrier->clusters = clusters;
        if (barrier->clusters == clusters) return number;
    }
    return NO_BARRIER;
}

// Returns this PE's own copy of the word by which PE 0 releases programs that wait in a barrier.
static uint64_t *released(uint32_t number) {
    return &skerry_mppa_own_board()->released[number];
}

static void release(struct skerry_mppa_barrier *barrier, uint32_t number) {
    barrier->arrived = 0;
    barrier->round++;
    skerry_mppa_put_to_waiting(released(number), barrier->round, barrier->waiting);
    barrier->waiting = 0;
}

// Counts the arrival of a program of PE `from`. Runs on PE 0.
static struct answer arrive(int from, const struct arrival *arrival) {
    skerry_mppa_lock_served();
    struct answer answer = {.number = number_of(arrival->clusters)};
    if (answer.number != NO_BARRIER) {
        struct skerry_mppa_barrier *barrier = &skerry_mppa_barriers[answer.number];
        answer.round = barrier->round;
        barrier->count = arrival->count;
        barrier->waiting |= 1u << from;
        if (++barrier->arrived == arrival->count) release(barrier, answer.number);
    }
    skerry_mppa_unlock_served();
    return answer;
}

static size_t handle(int pe, int from, const void *message, size_t bytes, void *answer) {
    (void)pe, (void)bytes;
    *(struct answer *)answer = arrive(from, message);
    return sizeof(struct answer);
}

void skerry_mppa_serve_programs(void) {
    skerry_far_set_handler(MESSAGE, handle);
    skerry_mppa_serve_changes();
}

static struct answer ask(const struct arrival *arrival) {
    union {
        struct answer answer;
        char room[SKERRY_FAR_ANSWER_MAX];
    } got;
    if (skerry_my_pe() == SKERRY_MPPA_MASTER) return arrive(SKERRY_MPPA_MASTER, arrival);
    skerry_far_ask(SKERRY_MPPA_MASTER, MESSAGE, arrival, sizeof *arrival, &got);
    return got.answer;
}

bool skerry_mppa_pass_barrier(const char *routine, uint64_t clusters, uint32_t count, struct skerry_mppa_wait *wait) {
    const struct answer answer = ask(&(struct arrival){clusters, count});
    if (answer.number == NO_BARRIER) return false;
    const uint64_t *const word = released(answer.number);
    wait->is_local = true;
    skerry_mppa_begin_master_wait(SKERRY_MPPA_ANYTHING);
    SKERRY_MPPA_WAIT_UNTIL((int32_t)((uint32_t)SKERRY_LOAD_ACQUIRE(word) - answer.round) > 0, SKERRY_MPPA_MASTER,
                           routine, wait);
    skerry_mppa_end_master_wait();
    return true;
}

#endif
