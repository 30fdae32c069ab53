// SPDX-License-Identifier: BSD-3-Clause
// A cluster of full.sh: 1.25 MB of static data, and a thread on each of the 16 cores.
#include "../mppa/check.h"

#include <omp.h>

enum { THREADS = 16, WORDS = 4096, LARGE = 327680 };

static int large[LARGE], mine[WORDS];
static long long go;

int main(int argc, char **argv) {
    CHECK(argc == 1);
    CHECK(mppa_rpc_client_init() == 0 && mppa_async_init() == 0);
    const int me = __k1_get_cluster_id(), begin = atoi(argv[0]);
    mppa_async_segment_t all, answers;
    CHECK(mppa_async_segment_clone(&all, 1, NULL, 0, NULL) == 0);
    CHECK(mppa_async_segment_clone(&answers, 2, NULL, 0, NULL) == 0);
    off64_t place;
    CHECK(mppa_async_offset(mppa_async_default_segment(me), &go, &place) == 0);
    CHECK(mppa_async_put(&place, &answers, me * (off64_t)sizeof place, sizeof place, NULL) == 0);
    CHECK(mppa_async_evalcond(&go, 0, MPPA_ASYNC_COND_NE, NULL) == 0);

    int threads = 0, wrong = 0;
    mppa_async_event_t sent[THREADS]; // each thread has one
#pragma omp parallel reduction(+ : wrong)
    {
        volatile char stack[6 * 1024]; // a thread's stack has at least 8 KB
        stack[0] = stack[sizeof stack - 1] = 1;
        const int thread = omp_get_thread_num(), part = WORDS / THREADS;
#pragma omp single
        threads = omp_get_num_threads();
#pragma omp for
        for (int i = 0; i < LARGE; i++) large[i] = i;
#pragma omp for schedule(static, part)
        for (int i = 0; i < WORDS; i++) mine[i] = begin + (int)go + large[i];
        wrong += mppa_async_put(&mine[thread * part], &all, (me * WORDS + thread * part) * (off64_t)sizeof mine[0],
                                (size_t)part * sizeof mine[0], &sent[thread]) != 0;
        wrong += mppa_async_event_wait(&sent[thread]) != 0;
    }
    CHECK(threads == THREADS && wrong == 0);
    CHECK(mppa_async_fence(&all, NULL) == 0);
    CHECK(mppa_async_final() == 0);
    return 0;
}
