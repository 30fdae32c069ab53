// SPDX-License-Identifier: BSD-3-Clause
// A cluster of queues.sh: takes work by an event or waiting, squares the number that the text says, and answers.
#include "check.h"

#define ANSWERS 1000

struct work {
    int number;
    char text[24];
};
struct answer {
    int cluster;
    long long square;
};

int main(void) {
    mppa_async_segment_t works, answers;
    CHECK(mppa_rpc_client_init() == 0 && mppa_async_init() == 0);
    int me = __k1_get_cluster_id();
    struct work *memory = malloc(sizeof *memory);
    CHECK(mppa_async_segment_create(&works, (unsigned)me, memory, sizeof *memory, MPPA_ASYNC_SEGMENT_FLAG_QUEUE0, 0,
                                    NULL) == 0);
    CHECK(mppa_async_segment_clone(&answers, ANSWERS, NULL, 0, NULL) == 0);
    for (int round = 0;; round++) {
        struct work *work = NULL;
        if (round % 2) {
            CHECK(mppa_async_dequeue(&works, sizeof *work, (void **)&work, NULL) == 0);
        } else {
            mppa_async_event_t event;
            CHECK(mppa_async_dequeue(&works, 0, (void **)&work, &event) == 0);
            while (mppa_async_event_test(&event) != 0) {
            }
            CHECK(mppa_async_discard(&works, sizeof *work) == 0);
        }
        if (work->number < 0) break;
        CHECK(work == memory);
        struct answer answer = {me, (long long)work->number * atoi(work->text)};
        CHECK(mppa_async_enqueue(&answers, &answer, sizeof answer, 0, NULL) == 0);
    }
    CHECK(mppa_async_segment_destroy(&works) == 0);
    free(memory);
    return mppa_async_final();
}
