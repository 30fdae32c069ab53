// SPDX-License-Identifier: BSD-3-Clause
// Measures OpenMP tasks of 500 cycles on machines of RISC-V cores: 512 tasks that one thread makes, and a binary tree of
// 1023 tasks, each of which makes two. Measures the tree also without tasks: as plain calls on one thread, and by hand,
// where each thread knows its part of the tree. Prints lines "result NAME THREADS 0 CYCLES" (README.md). All is measured
// twice, and the second time is printed.
#include <omp.h>
#include <stdint.h>
#include <stdio.h>

#define WORK 500
#define TASKS 512
#define DEPTH 9
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

static void result(const char *name, uint32_t cycles) {
    printf("result %s %d 0 %lu\n", name, omp_get_max_threads(), (unsigned long)cycles);
}

int main(void) {
    const int threads = omp_get_max_threads();
    uint32_t flat = 0, recursive = 0, hand = 0, small = 0;
#pragma omp parallel
    told[omp_get_thread_num()] = &is_told;
    for (int round = 0; round < 2; round++) {
        uint32_t start = now();
#pragma omp parallel
#pragma omp single
        for (int i = 0; i < TASKS; i++)
#pragma omp task
            work();
        flat = now() - start;
        start = now();
#pragma omp parallel
#pragma omp single
        tree(DEPTH);
        recursive = now() - start;
        start = now();
#pragma omp parallel
#pragma omp single
        fib(14);
        small = now() - start;
#pragma omp parallel
        is_told = 0;
        start = now();
#pragma omp parallel
        {
            const int thread = omp_get_thread_num();
            if (thread == 0) by_hand(0, threads, DEPTH);
            else {
                while (!is_told) {
                }
                by_hand(thread, (int)(is_told - 1) >> 8, (int)(is_told - 1) & 255);
            }
        }
        hand = now() - start;
    }
    const uint32_t start = now();
    calls(DEPTH);
    const uint32_t serial = now() - start;
    result("tasks_flat", flat);
    result("tasks_tree", recursive);
    result("tasks_fib", small);
    result("tree_by_hand", hand);
    result("tree_calls", serial);
    return 0;
}
