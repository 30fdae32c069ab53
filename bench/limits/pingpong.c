// SPDX-License-Identifier: BSD-3-Clause
// Measures how long two processes on two processors need to send a number to each other. Each process sends through a
// cache line of its own. The shortest time is the limit of a put for which another PE waits: no library can be faster.
// The time depends on how a process polls:
// * Without a pause between two polls, the processor executes many loads in advance, and must undo them when the line
//   changes. With a pause it executes fewer loads in advance.
// * A full fence between a process's own store and its first poll makes the store visible sooner.
// * On some machines a line arrives soonest if the poll is a compare-and-swap.
#include "limits.h"

enum polling { by_load, by_pause, by_swap, by_fence_and_pause, pollings };

// A word that one process polls and the other process writes. A flag has two cache lines of its own, because some
// processors fetch lines in pairs.
struct flag {
    _Alignas(2 * LIMIT_LINE) long number;
};
static struct flag *flags;
static long number[pollings]; // number of the last exchange

static inline void await(long *word, long expected, enum polling polling) {
    long seen = expected;
    switch (polling) {
    case by_load:
        while (__atomic_load_n(word, __ATOMIC_ACQUIRE) != expected) {
        }
        return;
    case by_swap:
        while (!__atomic_compare_exchange_n(word, &seen, expected, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            seen = expected;
        return;
    case by_fence_and_pause: limit_full_fence(); // falls through: polls with a pause
    default:
        while (__atomic_load_n(word, __ATOMIC_ACQUIRE) != expected) limit_relax();
    }
}

static inline __attribute__((always_inline)) void exchange(int me, long count, enum polling polling) {
    long *mine = &flags[2 * (int)polling + me].number, *theirs = &flags[2 * (int)polling + 1 - me].number;
    for (long last = number[polling] + count; number[polling] < last;) {
        long expected = ++number[polling];
        if (me == 0) __atomic_store_n(theirs, expected, __ATOMIC_RELEASE);
        await(mine, expected, polling);
        if (me == 1) __atomic_store_n(theirs, expected, __ATOMIC_RELEASE);
    }
}

#define DESIGN(POLLING)                                                                                                \
    static void exchange_##POLLING(int me, int processes, long count) {                                                \
        (void)processes;                                                                                               \
        exchange(me, count, POLLING);                                                                                  \
    }
DESIGN(by_load)
DESIGN(by_pause)
DESIGN(by_swap)
DESIGN(by_fence_and_pause)

int main(int argument_count, char **arguments) {
    int batches = limit_batches(argument_count, arguments, 400);
    if (limit_processors() < 2) {
        fprintf(stderr, "%s: needs two processors\n", arguments[0]);
        return 3;
    }
    static void (*const designs[])(int, int, long) = {exchange_by_load, exchange_by_pause, exchange_by_swap,
                                                      exchange_by_fence_and_pause};
    flags = limit_shared(4096);
    memset(flags, 0, 4096);
    limit_start_team(designs, 2, true);
    static struct limit limits[] = {
        {.name = "pingpong_load", .parameter = 2, .loop = limit_team_loop, .operations = 2, .design = by_load},
        {.name = "pingpong_pause", .parameter = 2, .loop = limit_team_loop, .operations = 2, .design = by_pause},
        {.name = "pingpong_swap", .parameter = 2, .loop = limit_team_loop, .operations = 2, .design = by_swap},
        {.name = "pingpong_fence",
         .parameter = 2,
         .loop = limit_team_loop,
         .operations = 2,
         .design = by_fence_and_pause}};
    limit_report(limits, pollings, batches, "pingpong");
    limit_end_team();
    return 0;
}
