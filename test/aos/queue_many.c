// SPDX-License-Identifier: BSD-3-Clause
// pes: 256
// skip: asan tsan aarch64
// timeout: 110
// 255 PEs overrun a queue of sixteen places, a list of conditional atomics and a counter of PE 0: nothing is lost.
#include "segments.h"

#define EACH 40

int main(void) {
    aos_queue_t queue;
    aos_segment_t words;
    static int64_t own[4], next_of[1024];
    segments_begin(0);
    if (me == 0) REQUIRE_OK(aos_queue_create(&queue, 1, 16, 16, NULL, NULL));
    else REQUIRE_OK(aos_queue_clone(&queue, 1, 0));
    if (me == 0) REQUIRE_OK(aos_segment_create(&words, 2, own, sizeof own, NULL));
    else REQUIRE_OK(aos_segment_clone(&words, 2, 0));
    for (int64_t i = 0; me && i < EACH; i++) {
        int64_t message[2] = {me, i};
        aos_condition_t half = {.offset = 0, .value = EACH * (pes - 1) / 2, .condition = AOS_GREATER_EQUAL};
        if (i % 4 == 0) REQUIRE_OK(aos_postadd_when(&words, 8, 1, &half, NULL));
        REQUIRE_OK(aos_enqueue(&queue, message, sizeof message));
        REQUIRE_OK(aos_postadd(&words, 0, 1));
    }
    for (int64_t i = 0; me == 0 && i < (int64_t)EACH * (pes - 1); i++) {
        int64_t message[2];
        REQUIRE_OK(aos_dequeue(&queue, message, sizeof message, NULL));
        REQUIRE(message[1] == next_of[message[0]], "PE %ld's message %ld came instead of %ld", (long)message[0],
                (long)message[1], (long)next_of[message[0]]);
        next_of[message[0]]++;
    }
    REQUIRE_OK(aos_fence_all(NULL));
    barrier();
    if (me == 0) {
        REQUIRE(own[0] == (int64_t)EACH * (pes - 1), "the counter is %ld", (long)own[0]);
        REQUIRE(own[1] == (int64_t)(EACH / 4) * (pes - 1), "%ld conditional atomics were done", (long)own[1]);
    }
    return segments_end();
}
