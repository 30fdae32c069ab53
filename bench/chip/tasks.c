// SPDX-License-Identifier: BSD-3-Clause
// Measures OpenMP tasks of 500 cycles on machines of RISC-V cores: 512 tasks that one thread makes, and binary trees in
// which each task makes two. The small tree has 1023 tasks, the large one 8191. Measures the small tree also without
// tasks: as plain calls on one thread, and by hand, where each thread knows its part of the tree.
//
// The time of a tree depends on which thread finds which one's task when. So each program runs nine times, with a
// different delay before it, and the median is printed in a line "result NAME THREADS 0 CYCLES" (README.md). One run
// before is not counted.
#include <omp.h>
#include <stdint.h>
#include <stdio.h>

#define WORK 500
#define TASKS 512
#define DEPTH 9
#define LARGE_DEPTH 12
#define RUNS 9
#define DELAY 37 // cycles by which the begin of a run is later than that of the one before
#define MOST_THREADS 64

static uint32_t now(void) {
    uint32_t cycles;
    __asm__ volatile("rdcycle %0" : "=r"(cycles)::"memory");
    return cycles;
}

static __attribute__((noinline)) void work(void) {
    for (const uint32_t start = now(); now() - start < WORK;) {
    }
}

static void tree(int depth) {
    work();
    if (!depth) return;
#pragma omp task
    tree(depth - 1);
#pragma omp task
    tree(depth - 1);
#pragma omp taskwait
}

static void calls(int depth) {
    work();
    if (!depth) return;
    calls(depth - 1);
    calls(depth - 1);
}

static int fib(int n) {
    if (n < 2) return n;
    int a, b;
#pragma omp task shared(a)
    a = fib(n - 1);
#pragma omp task shared(b)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

// The tree by hand: the thread that runs a node runs one of its children too, and tells another thread to run the other.
// `threads` is the number of threads that share the node's part of the tree.
static __thread volatile uint32_t is_told;
static volatile uint32_t *told[MOST_THREADS];

static void by_hand(int thread, int threads, int depth) {
    while (threads > 1 && depth > 0) {
        work();
        threads /= 2;
        depth--;
        *told[thread + threads] = (uint32_t)(threads << 8 | depth) + 1;
    }
    calls(depth);
}

// -- What is measured --------------------------------------------------------------------------------------------------

static void wait(int run) {
    for (const uint32_t start = now(); run > 0 && now() - start < (uint32_t)(run * DELAY);) {
    }
}

static void flat(void) {
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < TASKS; i++)
#pragma omp task
        work();
}

static void recursive(void) {
#pragma omp parallel
#pragma omp single
    tree(DEPTH);
}

static void large(void) {
#pragma omp parallel
#pragma omp single
    tree(LARGE_DEPTH);
}

static void small(void) {
#pragma omp parallel
#pragma omp single
    fib(14);
}

static void hand(void) {
    const int threads = omp_get_max_threads();
#pragma omp parallel
    {
        const int thread = omp_get_thread_num();
        if (thread == 0) by_hand(0, threads, DEPTH);
        else {
            while (!is_told) {
            }
            by_hand(thread, (int)(is_told - 1) >> 8, (int)(is_told - 1) & 255);
            is_told = 0;
        }
    }
}

static void serial(void) {
    calls(DEPTH);
}

// Measures a program, and prints the median of its times.
static void measure(const char *name, void (*program)(void)) {
    uint32_t times[RUNS];
    for (int run = -1; run < RUNS; run++) {
        wait(run);
        const uint32_t start = now();
        program();
        const uint32_t time = now() - start;
        int place = run;
        for (; place > 0 && times[place - 1] > time; place--) times[place] = times[place - 1];
        if (run >= 0) times[place] = time;
    }
    printf("result %s %d 0 %lu\n", name, omp_get_max_threads(), (unsigned long)times[RUNS / 2]);
}

int main(void) {
#pragma omp parallel
    told[omp_get_thread_num()] = &is_told;
    measure("tasks_flat", flat);
    measure("tasks_tree", recursive);
    measure("tasks_large_tree", large);
    measure("tasks_fib", small);
    measure("tree_by_hand", hand);
    measure("tree_calls", serial);
    return 0;
}
