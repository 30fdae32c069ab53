// SPDX-License-Identifier: BSD-3-Clause
// What the limit programs share: batches, medians, processors, shared memory and teams of bare processes. A limit is
// what this machine gives to a loop without any library; each figure is a line
//     limit NAME PARAMETER MEDIAN UNIT QUARTILE1 QUARTILE3 BATCHES
// Contenders take turns batch by batch, so that what else the machine does falls on all of them.
#ifndef SKERRY_BENCH_LIMITS_H
#define SKERRY_BENCH_LIMITS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LIMIT_LINE 64
#define LIMIT_BATCHES_MAX 2000
#define LIMIT_BATCH_NANOSECONDS 100000.0
// Turns before each batch, until the caches hold what this contender leaves there: after a non-temporal copy of
// megabytes, ordinary ones take five turns to reach their speed again.
#define LIMIT_WARM_TURNS 6

struct limit {
    const char *name;
    long parameter; // bytes of an operation or count of processes
    void (*loop)(const struct limit *, long count);
    double operations; // in one turn of the loop; 0 stands for 1
    bool rate;         // print GB/s of `parameter` bytes in place of ns
    int design;        // of a team
    double batch;      // nanoseconds at least; 0 stands for LIMIT_BATCH_NANOSECONDS
    long count;        // turns of a batch
    int batches;
    double samples[LIMIT_BATCHES_MAX];
};

static inline _Noreturn void limit_fail(const char *what) {
    perror(what);
    exit(1);
}

static inline double limit_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

// The only argument of most programs: how many batches.
static inline int limit_batches(int argument_count, char **arguments, int usual) {
    if (argument_count < 2) return usual;
    char *end;
    long batches = strtol(arguments[1], &end, 10);
    if (*end || end == arguments[1] || batches < 1 || batches > LIMIT_BATCHES_MAX) {
        fprintf(stderr, "%s: %s: batches must be 1 to %d\n", arguments[0], arguments[1], LIMIT_BATCHES_MAX);
        exit(2);
    }
    return (int)batches;
}

// -- Memory and processors ------------------------------------------------------------------------------------------

// As a symmetric heap is: a shared mapping of unnamed memory, every page touched.
static inline void *limit_shared(size_t bytes) {
    int fd = memfd_create("limit", MFD_CLOEXEC);
    if (fd < 0 || ftruncate(fd, (off_t)bytes) != 0) limit_fail("memfd");
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED) limit_fail("mmap");
    close(fd);
    memset(memory, 1, bytes);
    return memory;
}

static inline const cpu_set_t *limit_allowed(void) {
    static cpu_set_t allowed;
    if (CPU_COUNT(&allowed) == 0 && sched_getaffinity(0, sizeof allowed, &allowed) != 0) limit_fail("affinity");
    return &allowed;
}

static inline int limit_processors(void) {
    return CPU_COUNT(limit_allowed());
}

// Pins this process to the processor that is number `index` of the allowed ones, counted round.
static inline void limit_pin(int index) {
    const cpu_set_t *allowed = limit_allowed();
    index %= limit_processors();
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET(cpu, allowed) || index-- > 0) continue;
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(cpu, &one);
        sched_setaffinity(0, sizeof one, &one);
        return;
    }
}

// Cheapest full fence; fence.c compares. Not at the top of the stack, where calls store.
static inline void limit_full_fence(void) {
#if defined(__x86_64__)
    __asm__ volatile("lock orl $0, -128(%%rsp)" ::: "memory", "cc");
#else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

// Whoever changes a word that others may wait for looks behind it whether one of them sleeps: a load from another line and a branch that
// is never taken. On some processors the load waits until a locked instruction before it is done, which no library can avoid. Away from the
// start of a page, where words are that limits change: a load waits for a store before it with the same low 12 bits.
#define LIMIT_LOOK_OFFSET 448
static inline void limit_look(const unsigned char *page) {
    if (__builtin_expect(__atomic_load_n(page + LIMIT_LOOK_OFFSET, __ATOMIC_RELAXED) != 0, 0)) abort();
}

// What a processor offers to loops that poll.
static inline void limit_relax(void) {
#if defined(__x86_64__)
    __asm__ volatile("pause" ::: "memory");
#elif defined(__aarch64__)
    __asm__ volatile("yield" ::: "memory");
#endif
}

// -- Batches --------------------------------------------------------------------------------------------------------

static inline int limit_compare(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double limit_began;

static inline double limit_batch(const struct limit *limit, long count) {
    limit_began = limit_now();
    limit->loop(limit, count);
    return limit_now() - limit_began;
}

static inline double limit_batch_least(const struct limit *limit) {
    return limit->batch > 0 ? limit->batch : LIMIT_BATCH_NANOSECONDS / 2;
}

// The shortest of a few batches: others may fall into a preemption.
static inline double limit_shortest(const struct limit *limit, long count) {
    double shortest = limit_batch(limit, count);
    for (int i = 1; i < 5 && shortest >= limit_batch_least(limit); i++) {
        double took = limit_batch(limit, count);
        if (took < shortest) shortest = took;
    }
    return shortest;
}

static inline double limit_figure(const struct limit *limit, double nanoseconds) {
    return limit->rate ? (double)limit->parameter / nanoseconds : nanoseconds;
}

static inline double limit_quantile(const struct limit *limit, int quarter) {
    return limit_figure(limit, limit->samples[(limit->batches - 1) * quarter / 4]);
}

static inline void limit_print_as(const struct limit *limit, const char *name) {
    int first = limit->rate ? 3 : 1;
    printf("limit %s %ld %.4g %s %.4g %.4g %d\n", name, limit->parameter, limit_quantile(limit, 2),
           limit->rate ? "GB/s" : "ns", limit_quantile(limit, first), limit_quantile(limit, 4 - first), limit->batches);
    fflush(stdout);
}

// Doubles the turns of each contender until a batch is long against the clock's own cost, then times `batches` of each.
static inline void limit_measure(struct limit *limits, int contenders, int batches) {
    for (int i = 0; i < contenders; i++) {
        struct limit *limit = &limits[i];
        limit->batches = batches;
        limit->count = 1;
        while (limit_shortest(limit, limit->count) < limit_batch_least(limit)) limit->count *= 2;
    }
    for (int batch = 0; batch < batches; batch++)
        for (int i = 0; i < contenders; i++) {
            double operations = limits[i].operations > 0 ? limits[i].operations : 1;
            limits[i].loop(&limits[i], LIMIT_WARM_TURNS);
            limits[i].samples[batch] = limit_batch(&limits[i], limits[i].count) / (double)limits[i].count / operations;
        }
    for (int i = 0; i < contenders; i++)
        qsort(limits[i].samples, (size_t)batches, sizeof *limits[i].samples, limit_compare);
}

static inline const struct limit *limit_best(const struct limit *limits, int contenders) {
    const struct limit *best = limits;
    for (int i = 1; i < contenders; i++)
        if (limits[i].samples[limits[i].batches / 2] < best->samples[best->batches / 2]) best = &limits[i];
    return best;
}

// Measures and prints every contender, and the best of them under `best`.
static inline void limit_report(struct limit *limits, int contenders, int batches, const char *best) {
    limit_measure(limits, contenders, batches);
    for (int i = 0; i < contenders; i++) limit_print_as(&limits[i], limits[i].name);
    if (best) limit_print_as(limit_best(limits, contenders), best);
}

// -- Teams ----------------------------------------------------------------------------------------------------------
// Process 0 is the caller, who times; the others wait for its orders: a design and how many turns of it.

struct limit_team {
    _Alignas(LIMIT_LINE) volatile long order; // number of the batch
    volatile long count;
    volatile int design; // negative: end
    _Alignas(LIMIT_LINE) int ready;
    void (*const *designs)(int me, int processes, long count);
    int processes;
    int children[64];
};
static struct limit_team *limit_team;

static inline void limit_follow(int me) {
    for (long order = 1;; order++) {
        for (unsigned looks = 0; limit_team->order != order;)
            if (++looks > 1000) sched_yield();
        if (limit_team->design < 0) _exit(0);
        __atomic_fetch_add(&limit_team->ready, 1, __ATOMIC_SEQ_CST);
        limit_team->designs[limit_team->design](me, limit_team->processes, limit_team->count);
    }
}

static inline void limit_order(int design, long count) {
    limit_team->design = design;
    limit_team->count = count;
    __atomic_store_n(&limit_team->ready, 0, __ATOMIC_SEQ_CST);
    __atomic_store_n(&limit_team->order, limit_team->order + 1, __ATOMIC_SEQ_CST);
}

// Starts `processes` - 1 others. Their processors: one each when `pinned`, else the kernel's choice.
static inline void limit_start_team(void (*const *designs)(int, int, long), int processes, bool pinned) {
    if (!limit_team) limit_team = limit_shared(sizeof *limit_team);
    memset((void *)limit_team, 0, sizeof *limit_team);
    limit_team->designs = designs;
    limit_team->processes = processes;
    sched_setaffinity(0, sizeof *limit_allowed(), limit_allowed()); // the team before may have been pinned
    fflush(stdout);
    for (int me = 1; me < processes; me++) {
        pid_t child = fork();
        if (child < 0) limit_fail("fork");
        if (child == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            if (pinned) limit_pin(me);
            limit_follow(me);
        }
        limit_team->children[me] = child;
    }
    if (pinned) limit_pin(0);
}

// The loop of a team's limit.
static inline void limit_team_loop(const struct limit *limit, long count) {
    limit_order(limit->design, count);
    while (__atomic_load_n(&limit_team->ready, __ATOMIC_SEQ_CST) != limit_team->processes - 1) sched_yield();
    limit_began = limit_now(); // gathering is not what is measured
    limit_team->designs[limit->design](0, limit_team->processes, count);
}

static inline void limit_end_team(void) {
    limit_order(-1, 0);
    for (int me = 1; me < limit_team->processes; me++) waitpid(limit_team->children[me], NULL, 0);
}

#endif
