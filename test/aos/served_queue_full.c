// SPDX-License-Identifier: BSD-3-Clause
// env: SKERRY_NO_CROSS_MEMORY=1
// Full PEs never wait for each other: each fills its neighbour's small queue, whose owner takes nothing before its own puts into
// others' private memory are served; and those who wait for room are the ones who serve them.
#include "segments.h"

#define CAPACITY 4

int main(void) {
    aos_queue_t own, right;
    aos_segment_t memory, far;
    segments_begin(0);
    char *private = calloc(1, 100000), *source = malloc(100000);
    REQUIRE_OK(aos_queue_create(&own, segment_id(me, 1), 8, CAPACITY, NULL, NULL));
    REQUIRE_OK(aos_segment_create(&memory, segment_id(me, 2), private, 100000, NULL));
    REQUIRE_OK(aos_queue_clone(&right, segment_id(right_of(me), 1), 0));
    REQUIRE_OK(aos_segment_clone(&far, segment_id(left_of(me), 2), 0));
    int rounds = test_rounds(60);
    for (int64_t round = 0; round < rounds; round++) {
        for (int64_t i = 0; i < CAPACITY; i++) REQUIRE_OK(aos_enqueue(&right, &i, 8));
        memset(source, (int)round + 1, 100000);
        REQUIRE_OK(aos_put(source, &far, 0, 100000, NULL));
        for (int64_t i = 0, got; i < CAPACITY; i++) {
            REQUIRE_OK(aos_dequeue(&own, &got, 8, NULL));
            REQUIRE(got == i, "message %ld instead of %ld", (long)got, (long)i);
        }
        barrier();
        for (int i = 0; i < 100000; i += 99)
            REQUIRE(private[i] == (char)(round + 1), "round %ld: byte %d is %d", (long)round, i, private[i]);
        barrier();
    }
    REQUIRE_OK(aos_segment_destroy(&memory));
    free(private);
    free(source);
    return segments_end();
}
