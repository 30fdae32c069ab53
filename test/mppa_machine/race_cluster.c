// SPDX-License-Identifier: BSD-3-Clause
// A cluster of race.sh. Its threads race where a line has the comment "race".
#include "../mppa/check.h"

#include <omp.h>

enum { WORDS = 64, THREADS = 4 };

static int words[WORDS], doubled[WORDS], sum, payload, seen;
static long long go;

int main(void) {
    CHECK(mppa_rpc_client_init() == 0 && mppa_async_init() == 0);
    const int me = __k1_get_cluster_id();
    mppa_async_segment_t all, answers, arrived;
    CHECK(mppa_async_segment_clone(&all, 1, NULL, 0, NULL) == 0);
    CHECK(mppa_async_segment_clone(&answers, 2, NULL, 0, NULL) == 0);
    CHECK(mppa_async_segment_clone(&arrived, 3, NULL, 0, NULL) == 0);
    off64_t place;
    CHECK(mppa_async_offset(mppa_async_default_segment(me), &go, &place) == 0);
    CHECK(mppa_async_put(&place, &answers, me * (off64_t)sizeof place, sizeof place, NULL) == 0);
    int wrong = 0;
#pragma omp parallel num_threads(THREADS) reduction(+ : wrong)
    {
        const int thread = omp_get_thread_num();
        // One thread gets the words, and a barrier orders the others behind it.
        if (thread == 0) wrong += mppa_async_get(words, &all, 0, sizeof words, NULL) != 0;
#pragma omp barrier
        for (int i = thread; i < WORDS; i += THREADS) wrong += words[i] != i;
            // A loop reads what another thread has possibly not stored yet.
#pragma omp for nowait
        for (int i = 0; i < WORDS; i++) doubled[i] = 2 * i; // race
#pragma omp for reduction(+ : sum)
        for (int i = 0; i < WORDS; i++) sum += doubled[WORDS - 1 - i]; // race
        // The master passes a message of one thread on to another thread.
        if (thread == 1) {
            payload = 7;
            wrong += mppa_async_postadd(&arrived, 0, 1) != 0;
        }
        if (thread == 2) {
            wrong += mppa_async_evalcond(&go, 0, MPPA_ASYNC_COND_NE, NULL) != 0;
            seen = payload;
        }
    }
    CHECK(wrong == 0 && seen == 7 && go == 1 + me);
    CHECK(mppa_async_final() == 0);
    return 0;
}
