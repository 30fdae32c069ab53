// SPDX-License-Identifier: BSD-3-Clause
// Measures a barrier of 2 to 16 processes, for the case that there are more processes than processors. The processes
// add to one counter and yield their processor until all have arrived. The measured time is the limit of a barrier of
// PEs that share processors: no library can be faster. In the figure barrier_yield the kernel chooses the processors.
// In barrier_yield_pinned the processes are pinned to the processors in turn.
#include "limits.h"

// Length of a batch in ns: several time slices of the scheduler. In a shorter batch a process can keep its processor by
// chance. The median would then be the time of such batches.
#define BATCH_NANOSECONDS 2e6

struct word {
    _Alignas(LIMIT_LINE) long value;
};
static struct word *words;
enum { counter, generation, words_all };
static long rounds;

static void barrier(int me, int processes, long count) {
    (void)me;
    for (long last = rounds + count; rounds < last;) {
        long round = ++rounds;
        if (__atomic_add_fetch(&words[counter].value, 1, __ATOMIC_ACQ_REL) == round * processes) {
            __atomic_store_n(&words[generation].value, round, __ATOMIC_RELEASE);
            continue;
        }
        while (__atomic_load_n(&words[generation].value, __ATOMIC_ACQUIRE) < round) sched_yield();
    }
}

static void measure(int processes, bool pinned, int batches) {
    static void (*const designs[])(int, int, long) = {barrier};
    static struct limit limit;
    memset(words, 0, sizeof *words * words_all);
    rounds = 0;
    limit_start_team(designs, processes, pinned);
    limit = (struct limit){.name = pinned ? "barrier_yield_pinned" : "barrier_yield",
                           .parameter = processes,
                           .loop = limit_team_loop,
                           .batch = BATCH_NANOSECONDS};
    limit_report(&limit, 1, batches, NULL);
    limit_end_team();
}

int main(int argument_count, char **arguments) {
    int batches = limit_batches(argument_count, arguments, 100);
    words = limit_shared(sizeof *words * words_all);
    for (int processes = 2; processes <= 16; processes *= 2) {
        measure(processes, false, batches);
        measure(processes, true, batches);
    }
    return 0;
}
