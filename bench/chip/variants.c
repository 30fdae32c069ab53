// SPDX-License-Identifier: BSD-3-Clause
// Measures the variants of OpenMP constructs that Tendulkar et al. (2011) compare, with 1 to 4 cores. Runs on the
// simulated machines sarc, which imitate the hardware of that article: counters, queues and messages
// (docs/design/events.md). The variants are written by hand for this hardware, and for a memory of mutexes, which serves
// one access at a time. The OpenMP runtime only starts the cores. Each variant runs twice: the first run is a warm-up, and the
// time of the second run is printed. The line is "result NAME CORES 0 CYCLES". The 0 stands in the place of the bytes, because a
// construct has no size (README.md).
#include "variants_barrier.h"
#include "variants_critical.h"
#include "variants_task.h"

#include <stdio.h>

static const struct row {
    const char *name;
    uint32_t (*measure)(const struct core *c);
    int times, cores_min;
} rows[] = {{"barrier_counter", barrier_counter, TIMES, 1}, {"for_counter", for_counter, TIMES, 1},
            {"barrier_mutex", barrier_mutex, TIMES, 1},     {"for_mutex", for_mutex, TIMES, 1},
            {"critical_mutex", critical_mutex, TIMES, 1},   {"atomic_mutex", atomic_mutex, TIMES, 1},
            {"critical_queue", critical_queue, TIMES, 1},   {"atomic_queue", atomic_queue, TIMES, 1},
            {"reduction_queue", reduction_queue, TIMES, 1}, {"reduction_scratch", reduction_scratch, TIMES, 1},
            {"parallel_q_ctr", parallel_q_ctr, TIMES, 2},   {"parallel_scr_ctr", parallel_scr_ctr, TIMES, 2},
            {"parallel_q_scr", parallel_q_scr, TIMES, 2},   {"parallel_scr_scr", parallel_scr_scr, TIMES, 2},
            {"task_single", task_single, TASKS, 2},         {"task_multiple", task_multiple, TASKS, 2},
            {"task_locked", task_locked, TASKS, 2}};

int main(void) {
#pragma omp parallel
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct row *row = &rows[i];
        uint32_t cycles = 0;
        if (omp_get_num_threads() < row->cores_min) continue;
        for (int k = 0; k < 2; k++) {
            const struct core c = set_up();
            cycles = row->measure(&c);
            fence();
#pragma omp barrier
        }
        if (omp_get_thread_num() != 0) continue;
        const uint32_t tenths = cycles * 10 / (uint32_t)row->times;
        printf("result %s %d 0 %lu.%lu\n", row->name, omp_get_num_threads(), (unsigned long)tenths / 10,
               (unsigned long)tenths % 10);
    }
    return 0;
}
