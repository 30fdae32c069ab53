// SPDX-License-Identifier: BSD-3-Clause
// Defines the functions that the limit programs share: batches, medians, processors, shared memory and teams of bare
// processes. A limit is the speed of a loop on this machine without any library. The contenders (the designs that a
// program compares) run one batch each in turn. Other activity of the machine therefore slows all contenders equally.
// Each figure is printed as a line:
//     limit NAME PARAMETER MEDIAN UNIT QUARTILE1 QUARTILE3 BATCHES
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
// Number of turns of the loop that run before each batch and are not measured. The contenders (the compared designs)
// run in turn, so another contender has used the caches before a batch. The unmeasured turns bring the caches into the
// state in which the measured contender itself leaves them. After a non-temporal copy of megabytes, ordinary copies
// need five turns to reach their speed again.
#define LIMIT_WARM_TURNS 6

struct limit {
    const char *name;
    long parameter; // bytes of an operation, or number of processes
    void (*loop)(const struct limit *, long count);
    double operations; // number of operations in one turn of the loop; 0 means 1
    bool rate;         // true: print GB/s for `parameter` bytes in place of ns
    int design;        // index of the measured design in the team's or the program's own list
    double batch;      // smallest length of a batch in ns; 0 means half of LIMIT_BATCH_NANOSECONDS
    long count;        // number of turns of a batch
    int batches;
    double *samples; // one for each batch; not an array, because the program's file would contain it
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

// Returns the number of batches, which is the only argument of most programs, or `usual` if there is no argument.
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

// -- Memory and processors ---------------------------------------------------------------------------------------------

// Returns shared memory like that of a symmetric heap: a shared mapping of an unnamed memory file, with every page
// touched.
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

// Pins this process to processor `index`, modulo the number of processors. Counts only the processors that this program
// was allowed to use at its start.
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

// Executes the cheapest full fence; fence.c compares the instructions for it. On x86-64 it is a locked instruction on
// memory below the top of the stack. The top itself is not used, because calls store there.
static inline void limit_full_fence(void) {
#if defined(__x86_64__)
    __asm__ volatile("lock orl $0, -128(%%rsp)" ::: "memory", "cc");
#else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

// Loads a byte of another cache line and branches on it. The branch is never taken. A library needs such a load after
// it has changed a word for which another PE can wait. The load finds out if a waiter sleeps. On some processors this
// load waits until an earlier locked instruction is done. No library can avoid this delay.
//
// The limit programs change words at the start of a page. The load uses another offset in the page. A load waits for an
// earlier store whose address has the same low 12 bits.
#define LIMIT_LOOK_OFFSET 448
static inline void limit_look(const unsigned char *page) {
    if (__builtin_expect(__atomic_load_n(page + LIMIT_LOOK_OFFSET, __ATOMIC_RELAXED) != 0, 0)) abort();
}

// Executes the instruction by which a polling loop tells the processor that it waits.
static inline void limit_relax(void) {
#if defined(__x86_64__)
    __asm__ volatile("pause" ::: "memory");
#elif defined(__aarch64__)
    __asm__ volatile("yield" ::: "memory");
#endif
}

// -- Batches -----------------------------------------------------------------------------------------------------------

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

// Runs up to five batches of `count` turns. Returns the time of the shortest batch in ns, because a preemption possibly
// lengthened the other batches. Stops early if a batch is shorter than limit_batch_least(): the caller must then try a
// larger `count` anyway.
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

// Doubles the number of turns of each contender until its batch is long compared with the cost of reading the clock.
// Then times `batches` batches of each contender (a design that the program compares). The contenders run one batch
// each in turn.
static inline void limit_measure(struct limit *limits, int contenders, int batches) {
    for (int i = 0; i < contenders; i++) {
        struct limit *limit = &limits[i];
        limit->batches = batches;
        free(limit->samples);
        limit->samples = calloc((size_t)batches, sizeof *limit->samples);
        if (!limit->samples) limit_fail("calloc");
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

// Measures all contenders and prints their figures. If `best` is not NULL, prints the best figure again under the name
// `best`.
static inline void limit_report(struct limit *limits, int contenders, int batches, const char *best) {
    limit_measure(limits, contenders, batches);
    for (int i = 0; i < contenders; i++) limit_print_as(&limits[i], limits[i].name);
    if (best) limit_print_as(limit_best(limits, contenders), best);
}

// -- Teams -------------------------------------------------------------------------------------------------------------
// A team is the processes that run a design together, for example both sides of a barrier. Process 0 is the caller and
// measures the time. The other processes wait for orders of process 0. An order is the index of a design and a number
// of turns.

struct limit_team {
    _Alignas(LIMIT_LINE) volatile long order; // number of the batch
    volatile long count;
    volatile int design; // negative: the process ends
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

// Starts `processes` - 1 other processes. If `pinned` is true, the processes are pinned to the processors in turn. If
// not, the kernel chooses the processors.
static inline void limit_start_team(void (*const *designs)(int, int, long), int processes, bool pinned) {
    if (!limit_team) limit_team = limit_shared(sizeof *limit_team);
    memset((void *)limit_team, 0, sizeof *limit_team);
    limit_team->designs = designs;
    limit_team->processes = processes;
    sched_setaffinity(0, sizeof *limit_allowed(), limit_allowed()); // a previous team possibly pinned this process
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

// Runs a batch on the team. This function is the `loop` of each limit that a team measures.
static inline void limit_team_loop(const struct limit *limit, long count) {
    limit_order(limit->design, count);
    while (__atomic_load_n(&limit_team->ready, __ATOMIC_SEQ_CST) != limit_team->processes - 1) sched_yield();
    limit_began = limit_now(); // the measured time does not include waiting for the team
    limit_team->designs[limit->design](0, limit_team->processes, count);
}

static inline void limit_end_team(void) {
    limit_order(-1, 0);
    for (int me = 1; me < limit_team->processes; me++) waitpid(limit_team->children[me], NULL, 0);
}

#endif
