// SPDX-License-Identifier: BSD-3-Clause
// Measures the OpenMP constructs that the table of Tendulkar et al. (2011) lists. Uses the method of the EPCC
// benchmarks: runs a construct with an empty body in a loop, and measures the time of the loop. If every core or the
// master (thread 0) executes all iterations, subtracts the time of an empty loop. Measures each construct twice and
// prints the second time, because the first time includes the creation of the threads and the team. Prints lines
// "result NAME THREADS 0 CYCLES" (README.md). The 0 stands in the place of the bytes, because a construct has no size.
//
// A program that contains tasks has a slower barrier on some machines. So the benchmark compiles two programs for these
// machines, one with WITHOUT_TASKS and one with ONLY_TASKS.
#include <omp.h>
#include <stdint.h>
#include <stdio.h>

#define TIMES 192 // a multiple of 2, 3, 4 and 16
#define TASKS 64

static int word;
#ifndef __epiphany__
static omp_lock_t the_lock;
#endif
static uint32_t empty_loop; // cycles of a loop without a construct

static uint32_t now(void) {
    uint32_t cycles;
#ifdef __epiphany__
    __asm__ volatile("movfs %0, ctimer0" : "=r"(cycles)::"memory"); // counts down
    cycles = 0 - cycles;
#else
    __asm__ volatile("rdcycle %0" : "=r"(cycles)::"memory");
#endif
    return cycles;
}

static void result(const char *name, uint32_t cycles, int times) {
    const uint32_t tenths = cycles * 10 / (uint32_t)times;
    printf("result %s %d 0 %lu.%lu\n", name, omp_get_max_threads(), (unsigned long)tenths / 10,
           (unsigned long)tenths % 10);
}

static uint32_t empty(void) {
    const uint32_t start = now();
    for (int i = 0; i < TIMES; i++) __asm__ volatile("");
    return now() - start;
}

__attribute__((unused)) static uint32_t parallel(void) {
    const uint32_t start = now();
    for (int i = 0; i < TIMES; i++) {
#pragma omp parallel
        __asm__ volatile("");
    }
    return now() - start;
}

__attribute__((unused)) static uint32_t reduction(void) {
    const uint32_t start = now();
    for (int i = 0; i < TIMES; i++) {
        int sum = 0;
#pragma omp parallel reduction(+ : sum)
        sum++;
        word += sum;
    }
    return now() - start;
}

// Defines a function that measures a construct on the master thread (thread 0), inside a parallel region.
#define INSIDE(NAME, REPEAT, ...)                                                                                      \
    __attribute__((unused)) static uint32_t NAME(void) {                                                               \
        uint32_t cycles = 0;                                                                                           \
        _Pragma("omp parallel") {                                                                                      \
            const int threads = omp_get_num_threads();                                                                 \
            _Pragma("omp barrier") const uint32_t start = now();                                                       \
            for (int i = 0; i < (REPEAT); i++) __VA_ARGS__;                                                            \
            _Pragma("omp barrier") if (omp_get_thread_num() == 0) cycles = now() - start;                              \
            (void)threads;                                                                                             \
        }                                                                                                              \
        return cycles;                                                                                                 \
    }
INSIDE(barrier, TIMES, {_Pragma("omp barrier")})
INSIDE(loop, TIMES, { _Pragma("omp for") for (int j = 0; j < threads; j++) __asm__ volatile(""); })
INSIDE(single, TIMES, { _Pragma("omp single") word++; })
INSIDE(critical_increment, TIMES / threads, { _Pragma("omp critical") word++; })
INSIDE(atomic, TIMES / threads, { _Pragma("omp atomic") word++; })

#ifndef __epiphany__
// As the EPCC benchmarks do it: a section contains work of some 250 cycles, in which the other threads' requests arrive. The
// time of the work is subtracted.
static void work(void) {
    for (int i = 0; i < 64; i++) __asm__ volatile("");
}

static uint32_t all_work(void) {
    const uint32_t start = now();
    for (int i = 0; i < TIMES; i++) work();
    return now() - start;
}

INSIDE(critical, TIMES / threads, { _Pragma("omp critical") work(); })
INSIDE(lock, TIMES / threads, {
    omp_set_lock(&the_lock);
    work();
    omp_unset_lock(&the_lock);
})

// The last thread takes and releases a free lock, which is in the first core's memory.
#define LOCKS 32
static uint32_t unset_cycles;

static uint32_t lock_free(void) {
    uint32_t set_cycles = 0;
#pragma omp parallel
    if (omp_get_thread_num() == omp_get_num_threads() - 1) {
        uint32_t set = 0, unset = 0;
        for (int i = 0; i < LOCKS; i++) {
            const uint32_t start = now();
            omp_set_lock(&the_lock);
            const uint32_t taken = now();
            omp_unset_lock(&the_lock);
            unset += now() - taken;
            set += taken - start;
        }
        set_cycles = set;
        unset_cycles = unset;
    }
    return set_cycles;
}
#endif

// The same as a critical section, by the chip's atomic instruction without the runtime.
#ifdef __epiphany__
static volatile uint32_t lock;
#define BY_HAND                                                                                                        \
    do {                                                                                                               \
        uint32_t before = 1;                                                                                           \
        do                                                                                                             \
            __asm__ volatile("mov %0, #1\n\ttestset %0, [%1, %2]"                                                      \
                             : "+&r"(before)                                                                           \
                             : "r"(&lock), "r"(0)                                                                      \
                             : "memory", "cc");                                                                        \
        while (before != 0);                                                                                           \
        word++;                                                                                                        \
        __asm__ volatile("" ::: "memory");                                                                             \
        lock = 0;                                                                                                      \
    } while (0)
INSIDE(by_hand, TIMES / threads, { BY_HAND; })

__attribute__((unused)) static uint32_t critical_home(void) {
    const uint32_t start = now();
    for (int i = 0; i < TIMES; i++) {
#pragma omp critical
        word++;
    }
    return now() - start;
}

__attribute__((unused)) static uint32_t by_hand_home(void) {
    const uint32_t start = now();
    for (int i = 0; i < TIMES; i++) BY_HAND;
    return now() - start;
}
#endif

#ifndef WITHOUT_TASKS
static uint32_t spawning;

static uint32_t tasks(void) {
    uint32_t cycles = 0;
#pragma omp parallel
#pragma omp master
    {
        const uint32_t start = now();
        for (int i = 0; i < TASKS; i++) {
#pragma omp task
            __asm__ volatile("");
        }
        spawning = now() - start;
#pragma omp taskwait
        cycles = now() - start;
    }
    return cycles;
}

#endif

static void measure(const char *name, uint32_t (*what)(void), int times, uint32_t subtracted) {
    what();
    result(name, what() - subtracted, times);
}

int main(void) {
    empty();
    empty_loop = empty();
#ifndef ONLY_TASKS
    measure("parallel", parallel, TIMES, empty_loop);
    measure("barrier", barrier, TIMES, empty_loop);
    measure("for", loop, TIMES, empty_loop);
    measure("single", single, TIMES, empty_loop);
#ifdef __epiphany__
    measure("critical", critical_increment, TIMES, 0);
#else
    measure("critical", critical, TIMES, all_work());
    measure("critical_increment", critical_increment, TIMES, 0);
    omp_init_lock(&the_lock);
    measure("lock", lock, TIMES, all_work());
    measure("lock_set", lock_free, LOCKS, 0);
    result("lock_unset", unset_cycles, LOCKS);
#endif
    measure("atomic", atomic, TIMES, 0);
    measure("reduction", reduction, TIMES, empty_loop);
#ifdef __epiphany__
    measure("by_hand", by_hand, TIMES, 0);
    measure("critical_home", critical_home, TIMES, 0);
    measure("by_hand_home", by_hand_home, TIMES, 0);
#endif
#endif
#ifndef WITHOUT_TASKS
    measure("task", tasks, TASKS, 0);
    result("task_spawn", spawning, TASKS);
#endif
    return 0;
}
