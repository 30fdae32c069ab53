// SPDX-License-Identifier: BSD-3-Clause
// Compares shmem_barrier_all and a sum of 8 bytes over 2 or more nodes with a dissemination barrier by bare UCP (the
// interface of UCX) between the same processes. The batches alternate, so other activity of the machine slows all equally.
// Each PE must be on a node of its own:
//     SKERRY_NODES=4 UCX_TLS=tcp,self oshrun -n 4 nodes [--rounds N] [NAME...]
// Prints the lines that network.c prints. The bare barrier is measured with three ways of waiting; the reference
// `ucp_barrier` is the one whose median is smallest. If nodes share processors, a process that only polls takes the
// processor from the process for which it waits, so this way is measured only if each process has a processor.
#include "../limits/ucp_group.h"

#include <shmem.h>

#include "arguments.h"

enum { ROUNDS_MAX = 1000, WARM_TURNS = 4, CONTENDERS = 4, COUNT_MAX = 1 << 16 };
#define BATCH_NANOSECONDS 4e6
#define RATIO_MOST 1.2

static long terms[1], totals[1]; // operand and result of the measured sum

static void barrier_all(long count) {
    for (long i = 0; i < count; i++) shmem_barrier_all();
}

static void sum(long count) {
    for (long i = 0; i < count; i++) shmem_long_sum_reduce(SHMEM_TEAM_WORLD, totals, terms, 1);
}

static void bare_spin(long count) {
    for (long i = 0; i < count; i++) group_barrier(GROUP_SPIN);
}

static void bare_yield(long count) {
    for (long i = 0; i < count; i++) group_barrier(GROUP_YIELD);
}

static void bare_sleep(long count) {
    for (long i = 0; i < count; i++) group_barrier(GROUP_SLEEP);
}

struct contender {
    const char *name;
    void (*loop)(long count);
    long count;
    double samples[ROUNDS_MAX];
};

static const struct figure {
    const char *name;
    long bytes;
} figures[] = {{.name = "barrier_all"}, {.name = "sum", .bytes = 8}};
enum { FIGURES = sizeof figures / sizeof *figures };

static int me;

// Runs one batch on all PEs, and returns its time in ns for an operation.
static double batch(const struct contender *contender, long count) {
    shmem_barrier_all();
    contender->loop(WARM_TURNS);
    const double began = limit_now();
    contender->loop(count);
    return (limit_now() - began) / (double)count;
}

// Doubles the number of turns until a batch of PE 0 is long enough. All PEs use the number of PE 0.
static void choose_count(struct contender *contender) {
    static long count, chosen; // symmetric
    contender->count = 1;
    do {
        const double took = batch(contender, contender->count) * (double)contender->count;
        count = took < BATCH_NANOSECONDS / 2 && contender->count < COUNT_MAX ? 2 * contender->count : contender->count;
        shmem_long_broadcast(SHMEM_TEAM_WORLD, &chosen, &count, 1, 0);
        if (chosen == contender->count) return;
        contender->count = chosen;
    } while (true);
}

static double quantile(double *samples, int count, int quarter) {
    qsort(samples, (size_t)count, sizeof *samples, limit_compare);
    return samples[(count - 1) * quarter / 4];
}

static void print_times(const struct figure *figure, const char *name, const struct contender *contender, int rounds) {
    static double samples[ROUNDS_MAX];
    memcpy(samples, contender->samples, sizeof samples);
    printf("time %s %ld %s %.4g %.4g %.4g %d\n", figure->name, figure->bytes, name, quantile(samples, rounds, 2),
           quantile(samples, rounds, 1), quantile(samples, rounds, 3), rounds);
}

static const struct contender *best_of(const struct contender *contenders, int count, int rounds) {
    static double samples[ROUNDS_MAX];
    const struct contender *best = NULL;
    double least = 0;
    for (int i = 0; i < count; i++) {
        memcpy(samples, contenders[i].samples, sizeof samples);
        const double median = quantile(samples, rounds, 2);
        if (!best || median < least) best = &contenders[i], least = median;
    }
    return best;
}

static void print(const struct figure *figure, const struct contender *contenders, int count, int rounds) {
    static double ratios[ROUNDS_MAX];
    const struct contender *best = best_of(contenders + 1, count - 1, rounds);
    print_times(figure, contenders[0].name, &contenders[0], rounds);
    print_times(figure, "ucp_barrier", best, rounds);
    for (int i = 1; i < count; i++) print_times(figure, contenders[i].name, &contenders[i], rounds);
    for (int round = 0; round < rounds; round++) ratios[round] = contenders[0].samples[round] / best->samples[round];
    printf("ratio %s %ld ucp_barrier %.3f %.3f %.3f %.3f\n", figure->name, figure->bytes, quantile(ratios, rounds, 2),
           quantile(ratios, rounds, 1), quantile(ratios, rounds, 3), RATIO_MOST);
    fflush(stdout);
}

// The processors of this machine, not those of this process, which the launcher possibly has bound to one of them.
static bool has_processors(void) {
    return shmem_n_pes() <= sysconf(_SC_NPROCESSORS_ONLN);
}

static void measure(const struct figure *figure, int rounds) {
    static struct contender contenders[CONTENDERS];
    int count = 0;
    contenders[count++] = (struct contender){.name = "skerry", .loop = figure->bytes ? sum : barrier_all};
    contenders[count++] = (struct contender){.name = "ucp_yield", .loop = bare_yield};
    contenders[count++] = (struct contender){.name = "ucp_sleep", .loop = bare_sleep};
    if (has_processors()) contenders[count++] = (struct contender){.name = "ucp_spin", .loop = bare_spin};
    for (int i = 0; i < count; i++) choose_count(&contenders[i]);
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < count; i++) {
            struct contender *contender = &contenders[(i + round) % count];
            contender->samples[round] = batch(contender, contender->count);
        }
    if (me == 0) print(figure, contenders, count, rounds);
}

static struct group_address addresses[GROUP_PROCESSES_MAX]; // symmetric

static void start_bare(void) {
    group_open(&addresses[me]);
    shmem_barrier_all();
    for (int pe = 0; pe < shmem_n_pes(); pe++)
        if (pe != me) shmem_putmem(&addresses[me], &addresses[me], sizeof addresses[me], pe);
    shmem_barrier_all();
    group_connect(addresses, me, shmem_n_pes());
    group_barrier(GROUP_YIELD);
}

static bool is_figure(const char *name) {
    for (int i = 0; i < FIGURES; i++)
        if (strcmp(name, figures[i].name) == 0) return true;
    return false;
}

int main(int argument_count, char **arguments) {
    const int rounds = read_arguments("nodes", argument_count, arguments, ROUNDS_MAX, is_figure);
    shmem_init();
    me = shmem_my_pe();
    const int pes = shmem_n_pes();
    bool alone = pes > 1 && pes <= GROUP_PROCESSES_MAX;
    for (int pe = 0; pe < pes; pe++) alone &= pe == me || !shmem_ptr(terms, pe);
    if (!alone) {
        if (me == 0) fprintf(stderr, "nodes: needs 2 to %d PEs, each on a node of its own\n", GROUP_PROCESSES_MAX);
        shmem_global_exit(2);
    }
    start_bare();
    for (int i = 0; i < FIGURES; i++)
        if (is_wanted(figures[i].name)) measure(&figures[i], rounds);
    shmem_finalize();
    return 0;
}
