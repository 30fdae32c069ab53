// SPDX-License-Identifier: BSD-3-Clause
// Measures how many pause instructions a wait should execute between two polls. Two threads on two processors pass a
// number back and forth, and wait for the number by the library's own wait. A pause keeps the polling thread from
// taking the cache line from the writer too early, but it delays the next poll. The time of a pause instruction differs
// by a factor of ten between processors.
//
// Why at most two pauses are tried: on virtual machines the effect of more pauses changes with time.
// * If a cache line needs 200 ns from one processor to the other, four pauses are a fifth faster than one pause.
// * If the line needs 50 ns, four pauses are two fifths slower.
// * On a virtual machine this time can change between 50 ns and 200 ns.
#define _GNU_SOURCE
#include <pthread.h>

#include "../../src/machine/linux/pe/internal.h"
#include "tune.h"

#define ROUNDS 100
#define BATCHES 20

static struct {
    _Alignas(SKERRY_FALSE_SHARING_RANGE) uint64_t there; // UINT64_MAX ends the other thread
    _Alignas(SKERRY_FALSE_SHARING_RANGE) uint64_t back;
} numbers;

static uint64_t number;

static void hand_over(uint64_t *word, uint64_t value) {
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
    skerry_wake(skerry_my_pe());
}

// Waits until a number that only grows has reached `value`.
static void wait_for(const uint64_t *word, uint64_t value) {
    SKERRY_PAUSE(pause);
    while (SKERRY_LOAD_ACQUIRE(word) < value) skerry_pause(&pause, skerry_my_pe());
}

static void *answer(void *unused) {
    (void)unused;
    for (uint64_t expected = 1;; expected++) {
        wait_for(&numbers.there, expected);
        if (SKERRY_LOAD_ACQUIRE(&numbers.there) == UINT64_MAX) return NULL;
        hand_over(&numbers.back, expected);
    }
}

// Returns the nanoseconds that a number needs to get from one thread to the other.
static double play(void) {
    const double began = tune_now();
    for (int round = 0; round < ROUNDS; round++) {
        hand_over(&numbers.there, ++number);
        wait_for(&numbers.back, number);
    }
    return (tune_now() - began) / (2 * ROUNDS);
}

void tune_polls(struct skerry_tuning *tuning) {
    static const uint32_t pauses[] = {1, 0, 2};
    pthread_t other;
    if (pthread_create(&other, NULL, answer, NULL) != 0) return;
    tune_pin(other);
    play(); // not measured: after this call both threads run
    tune_choose((struct tune_choice){.name = "pauses between polls",
                                     .setting = &tuning->poll_pauses,
                                     .candidates = pauses,
                                     .count = sizeof pauses / sizeof *pauses,
                                     .batches = BATCHES,
                                     .use = skerry_use_poll_pauses,
                                     .measure = play,
                                     .unit = "ns for a hand-over"});
    hand_over(&numbers.there, UINT64_MAX);
    pthread_join(other, NULL);
    tune_unpin();
}
