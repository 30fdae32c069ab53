// SPDX-License-Identifier: BSD-3-Clause
// Measures reductions of OpenMP on machines of RISC-V cores, each in a region of its own and in a loop `omp for` inside a region,
// which has one iteration for each thread and ends with a barrier. Prints lines "result NAME THREADS 0 CYCLES" (README.md) for as many
// threads as OMP_NUM_THREADS says; the cycles of a loop contain those of its bounds and of the loop around it.
#include <omp.h>
#include <stdint.h>
#include <stdio.h>

#define TIMES 40

static uint32_t now(void) {
    uint32_t cycles;
    __asm__ volatile("rdcycle %0" : "=r"(cycles)::"memory");
    return cycles;
}

static void print(const char *name, const char *place, int threads, uint32_t cycles) {
    printf("result %s_%s %d 0 %lu\n", name, place, threads, (unsigned long)(cycles / TIMES));
}

// Defines measure_NAME, which measures a reduction with the given clauses, in which each thread executes `body` for number `i`.
#define PRAGMA(text) _Pragma(#text)
#define DEFINE(name, variables, clauses, body)                                                                         \
    static void measure_##name(int threads) {                                                                          \
        variables;                                                                                                     \
        uint32_t start = now();                                                                                        \
        for (int k = -TIMES; k < TIMES; k++) {                                                                         \
            if (k == 0) start = now();                                                                                 \
            PRAGMA(omp parallel clauses) {                                                                             \
                const int i = omp_get_thread_num();                                                                    \
                body;                                                                                                  \
            }                                                                                                          \
        }                                                                                                              \
        print(#name, "region", threads, now() - start);                                                                \
        _Pragma("omp parallel") {                                                                                      \
            for (int k = -TIMES; k < TIMES; k++) {                                                                     \
                if (k == 0 && omp_get_thread_num() == 0) start = now();                                                \
                PRAGMA(omp for schedule(static) clauses) for (int i = 0; i < threads; i++) {                           \
                    body;                                                                                              \
                }                                                                                                      \
            }                                                                                                          \
            if (omp_get_thread_num() == 0) start = now() - start;                                                      \
        }                                                                                                              \
        print(#name, "loop", threads, start);                                                                          \
    }

DEFINE(none, , , __asm__ volatile("" ::"r"(i)))
DEFINE(int, int sum = 0, reduction(+ : sum), sum += i)
DEFINE(float, float sum = 0, reduction(+ : sum), sum += (float)i)
DEFINE(double, double sum = 0, reduction(+ : sum), sum += i)
DEFINE(maximum, int most = 0, reduction(max : most), most = i > most ? i : most)
DEFINE(two, int sum = 0; int most = 0, reduction(+ : sum) reduction(max : most), sum += i; most = i > most ? i : most)
DEFINE(three, double sum = 0; double most = 0; int count = 0, reduction(+ : sum, count) reduction(max : most), sum += i;
       most = i > most ? i : most; count++)

int main(void) {
    const int threads = omp_get_max_threads();
    measure_none(threads);
    measure_int(threads);
    measure_float(threads);
    measure_double(threads);
    measure_maximum(threads);
    measure_two(threads);
    measure_three(threads);
    return 0;
}
