// SPDX-License-Identifier: BSD-3-Clause
// Measures a barrier of two processes on two processors, one barrier after another. The fastest design is the limit of
// a barrier of two PEs: no library can be faster. Five designs are compared. In three of them each process sets a flag
// that the other process polls:
// * by loads only;
// * by loads with a pause between them;
// * by one full fence and then loads with a pause, which was the fastest way in pingpong.c.
// In the other two designs the processes count their arrivals in one word.
#include "limits.h"

struct word {
    _Alignas(2 * LIMIT_LINE) long value;
};
static struct word *words;
enum design { flags_loaded, flags_paused, flags_fenced, generation_design, counter_design, designs_all };
static long rounds[designs_all]; // number of barriers so far, for each design

// Runs `count` barriers. In each barrier a process stores the barrier's number into the word that the other process
// polls.
static inline __attribute__((always_inline)) void flags(int me, long count, enum design design) {
    long *mine = &words[2 * (int)design + me].value, *theirs = &words[2 * (int)design + 1 - me].value;
    for (long last = rounds[design] + count; rounds[design] < last;) {
        long round = ++rounds[design];
        __atomic_store_n(theirs, round, __ATOMIC_RELEASE);
        if (design == flags_fenced) limit_full_fence();
        while (__atomic_load_n(mine, __ATOMIC_ACQUIRE) < round)
            if (design != flags_loaded) limit_relax();
    }
}

static void meet_loaded(int me, int processes, long count) {
    (void)processes;
    flags(me, count, flags_loaded);
}

static void meet_paused(int me, int processes, long count) {
    (void)processes;
    flags(me, count, flags_paused);
}

static void meet_fenced(int me, int processes, long count) {
    (void)processes;
    flags(me, count, flags_fenced);
}

// Runs `count` barriers. The processes add to a counter. The last process to arrive sets a generation number, which the
// other processes poll.
static void meet_by_generation(int me, int processes, long count) {
    (void)me;
    long *met = &rounds[generation_design];
    long *counter = &words[2 * generation_design].value, *generation = &words[2 * generation_design + 1].value;
    for (long last = *met + count; *met < last;) {
        long round = ++*met;
        if (__atomic_add_fetch(counter, 1, __ATOMIC_ACQ_REL) == round * processes)
            __atomic_store_n(generation, round, __ATOMIC_RELEASE);
        else
            while (__atomic_load_n(generation, __ATOMIC_ACQUIRE) < round) limit_relax();
    }
}

// Runs `count` barriers. The processes add to a counter and poll the same counter.
static void meet_by_counter(int me, int processes, long count) {
    (void)me;
    long *met = &rounds[counter_design], *counter = &words[2 * counter_design].value;
    for (long last = *met + count; *met < last;) {
        long round = ++*met;
        __atomic_fetch_add(counter, 1, __ATOMIC_ACQ_REL);
        while (__atomic_load_n(counter, __ATOMIC_ACQUIRE) < round * processes) limit_relax();
    }
}

int main(int argument_count, char **arguments) {
    int batches = limit_batches(argument_count, arguments, 400);
    if (limit_processors() < 2) {
        fprintf(stderr, "%s: needs two processors\n", arguments[0]);
        return 3;
    }
    static void (*const designs[])(int, int, long) = {meet_loaded, meet_paused, meet_fenced, meet_by_generation,
                                                      meet_by_counter};
    static const char *const names[] = {"barrier_spin_load", "barrier_spin_pause", "barrier_spin_fence",
                                        "barrier_spin_generation", "barrier_spin_counter"};
    words = limit_shared(sizeof *words * 2 * designs_all);
    memset(words, 0, sizeof *words * 2 * designs_all);
    limit_start_team(designs, 2, true);
    static struct limit limits[designs_all];
    for (int i = 0; i < designs_all; i++)
        limits[i] = (struct limit){.name = names[i], .parameter = 2, .loop = limit_team_loop, .design = i};
    limit_report(limits, designs_all, batches, "barrier_spin");
    limit_end_team();
    return 0;
}
