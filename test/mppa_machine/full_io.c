// SPDX-License-Identifier: BSD-3-Clause
// A master for full.sh: its threads start clusters whose static data take most of their memory, and wait for them. The first
// argument of each is argv[0], as in a published suite. Checks what the clusters have computed with.
#include "../mppa/check.h"

#include <utask.h>

enum { CLUSTERS_MAX = 16, WORDS = 4096 };

static int words[CLUSTERS_MAX][WORDS];
static long long places[CLUSTERS_MAX]; // of a word of each cluster

int main(int argc, char **argv) {
    const int clusters = argc > 1 ? atoi(argv[1]) : 1;
    CHECK(mppa_rpc_server_init(1, 0, clusters) == 0 && mppa_async_server_init() == 0);
    utask_t server;
    CHECK(utask_create(&server, NULL, (void *)mppa_rpc_server_start, NULL) == 0);
    mppa_async_segment_t all, answers;
    CHECK(mppa_async_segment_create(&all, 1, words, sizeof words, 0, 0, NULL) == 0);
    CHECK(mppa_async_segment_create(&answers, 2, places, sizeof places, 0, 0, NULL) == 0);
    int started = 0;
#pragma omp parallel for num_threads(3) reduction(+ : started)
    for (int i = 0; i < clusters; i++) {
        char first[12];
        snprintf(first, sizeof first, "%d", i * 100);
        const char *arguments[] = {first, NULL};
        started += mppa_power_base_spawn(i, "full_cluster", arguments, NULL, MPPA_POWER_SHUFFLING_ENABLED) >= 0;
    }
    CHECK(started == clusters);
    for (int i = 0; i < clusters; i++) CHECK(mppa_async_evalcond(&places[i], 0, MPPA_ASYNC_COND_NE, NULL) == 0);
    for (int i = 0; i < clusters; i++) // the clusters go on
        CHECK(mppa_async_poke(mppa_async_default_segment(i), places[i], 1 + i) == 0);
    int status = 0;
#pragma omp parallel for num_threads(3) reduction(+ : status)
    for (int i = 0; i < clusters; i++) {
        int code = 1;
        status += mppa_power_base_waitpid(i, &code, 0) < 0 || code;
    }
    CHECK(status == 0);
    for (int i = 0; i < clusters; i++)
        for (int k = 0; k < WORDS; k++) CHECK(words[i][k] == i * 100 + 1 + i + k);
    CHECK(mppa_async_server_final() == 0);
    puts("well");
    return 0;
}
