// SPDX-License-Identifier: BSD-3-Clause
// A master of race.sh: race_io CLUSTERS. Its thread and main race where a line has the comment "race".
#include "../mppa/check.h"

#include <utask.h>

enum { WORDS = 64 };

static int words[WORDS], joined, counted;
static long long ready, places[16]; // of a word of each cluster

static void *count(void *unused) {
    joined = 1;
    counted++; // race
    return unused;
}

int main(int argc, char **argv) {
    const int clusters = argc > 1 ? atoi(argv[1]) : 1;
    CHECK(mppa_rpc_server_init(1, 0, clusters) == 0 && mppa_async_server_init() == 0);
    utask_t thread;
    CHECK(utask_create(&thread, NULL, count, NULL) == 0);
    counted++; // race
    CHECK(utask_join(thread, NULL) == 0);
    CHECK(joined == 1);
    for (int i = 0; i < WORDS; i++) words[i] = i;
    mppa_async_segment_t all, answers, arrived;
    CHECK(mppa_async_segment_create(&all, 1, words, sizeof words, 0, 0, NULL) == 0);
    CHECK(mppa_async_segment_create(&answers, 2, places, sizeof places, 0, 0, NULL) == 0);
    CHECK(mppa_async_segment_create(&arrived, 3, &ready, sizeof ready, 0, 0, NULL) == 0);
    for (int i = 0; i < clusters; i++) CHECK(mppa_power_base_spawn(i, "race_cluster", NULL, NULL, 0) == i);
    CHECK(mppa_async_evalcond(&ready, clusters, MPPA_ASYNC_COND_EQ, NULL) == 0);
    for (int i = 0; i < clusters; i++) CHECK(mppa_async_poke(mppa_async_default_segment(i), places[i], 1 + i) == 0);
    for (int i = 0; i < clusters; i++) {
        int status = 1;
        CHECK(mppa_power_base_waitpid(i, &status, 0) == i && status == 0);
    }
    CHECK(mppa_async_server_final() == 0);
    puts("well");
    return 0;
}
