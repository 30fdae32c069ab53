// SPDX-License-Identifier: BSD-3-Clause
// The master of queues.sh: gives work to clusters, each with a queue of its own, and reads answers from one queue of many senders.
#include "check.h"

#include <mppa_power.h>

#define ROUNDS 500
#define ANSWERS 1000

struct work {
    int number;
    char text[24];
};
struct answer {
    int cluster;
    long long square;
};

int main(int argc, char **argv) {
    static struct answer memory[16];
    mppa_async_segment_t answers, works[16];
    int clusters = argc > 1 ? atoi(argv[1]) : 1, given = 0, next[16] = {0};
    CHECK(mppa_rpc_server_init(1, 0, clusters) == 0 && mppa_async_server_init() == 0);
    CHECK(mppa_async_segment_create(&answers, ANSWERS, memory, sizeof(struct answer), MPPA_ASYNC_SEGMENT_FLAG_QUEUE0, 0,
                                    NULL) == 0);
    for (int i = 0; i < clusters; i++)
        CHECK(mppa_power_base_spawn(i, "queues_cluster", argv, NULL, MPPA_POWER_SHUFFLING_ENABLED) == i);
    for (int i = 0; i < clusters; i++) CHECK(mppa_async_segment_clone(&works[i], i, NULL, 0, NULL) == 0);
    struct work too_large[100] = {{0, {0}}};
    CHECK(mppa_async_enqueue(&works[0], too_large, sizeof too_large, 0, NULL) == -1);
    for (int i = 0; i < ROUNDS * clusters; i++) {
        struct work work = {.number = given++};
        snprintf(work.text, sizeof work.text, "%d", work.number);
        CHECK(mppa_async_enqueue(&works[i % clusters], &work, sizeof work, 0, NULL) == 0);
        // More outstanding than a queue holds would be a deadlock of the program's own: some answers are taken meanwhile.
        if (i < 8 * clusters) continue;
        struct answer *answer = NULL;
        CHECK(mppa_async_dequeue(&answers, sizeof *answer, (void **)&answer, NULL) == 0);
        int number = next[answer->cluster]++ * clusters + answer->cluster; // each sender's are in its order
        CHECK(answer->square == (long long)number * number);
    }
    for (int i = 0; i < 8 * clusters; i++) {
        struct answer *answer = NULL;
        CHECK(mppa_async_dequeue(&answers, sizeof *answer, (void **)&answer, NULL) == 0);
        next[answer->cluster]++;
    }
    for (int i = 0; i < clusters; i++) {
        int status = -1;
        CHECK(next[i] == ROUNDS);
        CHECK(mppa_async_enqueue(&works[i], &(struct work){.number = -1}, sizeof(struct work), 0, NULL) == 0);
        CHECK(mppa_power_base_waitpid(i, &status, 0) == i && status == 0);
    }
    CHECK(mppa_async_segment_destroy(&answers) == 0);
    CHECK(mppa_async_server_final() == 0);
    puts("well");
    return 0;
}
