// SPDX-License-Identifier: BSD-3-Clause
// Regions that repeat the one before, with other things between or inside them: regions of other sizes, nested regions
// that some threads begin, control variables that a thread sets, and dependences of tasks that an implicit task makes.
// threads: 1 2 3 4 16
#include "test.h"

#define THREADS_MAX 16

static int runs[THREADS_MAX], threads;

static void check(int count, int times, const char *what) {
    for (int i = 0; i < threads; i++) {
        const int wanted = i < count ? times : 0;
        REQUIRE(runs[i] == wanted, "%s: thread %d of %d ran %d times in place of %d", what, i, count, runs[i], wanted);
        runs[i] = 0;
    }
}

static void region(int count, int add) {
#pragma omp parallel num_threads(count)
    {
        REQUIRE(omp_get_num_threads() == count, "%d threads in place of %d", omp_get_num_threads(), count);
        runs[omp_get_thread_num()] += add;
    }
}

int main(void) {
    threads = omp_get_max_threads();
    omp_set_dynamic(0);
    for (int i = 0; i < 20; i++) region(threads, 1);
    check(threads, 20, "same region");
    for (int i = 0; i < 12; i++) region(i % 3 == 2 ? (threads + 1) / 2 : threads, i % 3 == 2 ? 0 : 1);
    check(threads, 8, "two sizes");

    // Each region is begun at another place, and so has another function and other data.
    for (int i = 0; i < 6; i++) {
        region(threads, 1);
        int data = i;
#pragma omp parallel num_threads(threads) firstprivate(data)
        runs[omp_get_thread_num()] += data == i;
    }
    check(threads, 12, "two functions");

    // A thread sets a control variable, which is its own: the next region has the old value again.
    const int chunk_before = 7;
    omp_set_schedule(omp_sched_static, chunk_before);
    for (int i = 0; i < 6; i++) {
#pragma omp parallel num_threads(threads)
        {
            omp_sched_t kind;
            int chunk;
            omp_get_schedule(&kind, &chunk);
            REQUIRE(chunk == chunk_before, "chunk %d at the begin of a region", chunk);
            if (omp_get_thread_num() == i % threads) omp_set_schedule(omp_sched_static, 9);
            runs[omp_get_thread_num()]++;
        }
    }
    check(threads, 6, "control variables");

    // Implicit tasks have children with dependences.
    for (int i = 0; i < 6; i++) {
#pragma omp parallel num_threads(threads)
        {
            const int me = omp_get_thread_num();
            int first = 0, second = 0;
            if (me % 2 == i % 2) {
#pragma omp task depend(out : first) shared(first)
                first = 1;
#pragma omp task depend(in : first) shared(first, second)
                second = first + 1;
#pragma omp taskwait
                REQUIRE(second == 2, "second is %d", second);
            }
            runs[me]++;
        }
    }
    check(threads, 6, "dependences");

    // Threads begin nested regions of one thread, and, if levels are allowed, of two.
    for (int levels = 1; levels <= 2; levels++) {
        omp_set_max_active_levels(levels);
        for (int i = 0; i < 4; i++) {
            int nested = 0;
#pragma omp parallel num_threads(threads)
            {
                runs[omp_get_thread_num()]++;
                if (omp_get_thread_num() == i % threads) {
                    for (int j = 0; j < 3; j++) {
#pragma omp parallel num_threads(2)
                        test_add(&nested, omp_get_thread_num() == 0);
                    }
                }
            }
            REQUIRE(nested == 3, "%d nested regions", nested);
            region(threads, 1);
        }
        check(threads, 8, "nested regions");
    }
    return 0;
}
