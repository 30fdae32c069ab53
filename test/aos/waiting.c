// SPDX-License-Identifier: BSD-3-Clause
// The ways of waiting: a PE that waits long, by each of them, is woken by each kind of change.
#include "segments.h"

static int64_t words[4];

static void way(uint32_t waiting, int round) {
    aos_segment_t own, right;
    aos_queue_t queue, to;
    aos_options_t options = {.waiting = waiting};
    memset(words, 0, sizeof words);
    REQUIRE_OK(aos_segment_create(&own, segment_id(me, round), words, sizeof words, &options));
    REQUIRE_OK(aos_segment_clone(&right, segment_id(right_of(me), round), 0));
    REQUIRE_OK(aos_queue_create(&queue, segment_id(me, round + 100), 8, 1, NULL, &options));
    REQUIRE_OK(aos_queue_clone(&to, segment_id(right_of(me), round + 100), 0));
    barrier();
    int64_t old, message = 5;
    for (int k = 0; k < 3; k++) {
        aos_condition_t come = {.offset = 0, .value = k + 1, .condition = AOS_EQUAL};
        if (me == 0) {
            test_sleep_ms(20);
            REQUIRE_OK(aos_poke(&right, 0, k + 1));
        }
        REQUIRE_OK(aos_peek_when(&own, 0, &come, &old, NULL)); // asleep meanwhile
        if (me != 0) REQUIRE_OK(aos_put(&(int64_t){k + 1}, &right, 0, 8, NULL));
        barrier();
        if (me == 0) {
            test_sleep_ms(20);
            REQUIRE_OK(aos_enqueue(&to, &message, 8));
        }
        REQUIRE_OK(aos_dequeue(&queue, &message, 8, NULL));
        if (me != 0) REQUIRE_OK(aos_enqueue(&to, &message, 8));
        barrier();
        // The second message waits for room until its receiver has slept.
        REQUIRE_OK(aos_enqueue(&to, &message, 8));
        if (me == pes - 1 && pes > 1) test_sleep_ms(20);
        if (pes > 1 && me != pes - 1) REQUIRE_OK(aos_dequeue(&queue, &message, 8, NULL));
        if (pes > 1) REQUIRE_OK(aos_enqueue(&to, &message, 8));
        if (me == pes - 1) REQUIRE_OK(aos_dequeue(&queue, &message, 8, NULL));
        if (pes > 1) REQUIRE_OK(aos_dequeue(&queue, &message, 8, NULL));
        barrier();
    }
    REQUIRE_OK(aos_segment_destroy(&own));
    REQUIRE_OK(aos_queue_destroy(&queue));
    barrier();
}

int main(void) {
    segments_begin(0);
    way(AOS_WAIT_DEFAULT, 1);
    way(AOS_WAIT_SPIN, 2);
    way(AOS_WAIT_SLEEP, 3);
    return segments_end();
}
