// SPDX-License-Identifier: BSD-3-Clause
// Handles of a queue that was destroyed, a copy of the owner's and a clone, take no message out of the queue that has the memory next.
// pes: 1 2
#include "segments.h"

int main(void) {
    segments_begin(0);
    aos_queue_t queue, copy, clone, next;
    aos_message_t message;
    char text[16] = "for the next";
    REQUIRE_OK(aos_queue_create(&queue, (uint64_t)me, sizeof text, 4, NULL, NULL));
    REQUIRE_OK(aos_queue_clone(&clone, (uint64_t)me, 0));
    copy = queue;
    REQUIRE_OK(aos_queue_destroy(&queue));
    REQUIRE_OK(aos_queue_create(&next, (uint64_t)(pes + me), sizeof text, 4, NULL, NULL));
    REQUIRE_OK(aos_enqueue(&next, text, sizeof text));
    aos_queue_t *const gone[] = {&copy, &clone};
    for (int i = 0; i < 2; i++) {
        REQUIRE(aos_try_dequeue(gone[i], text, sizeof text, NULL) == AOS_ERROR_GONE, "handle %d dequeues", i);
        REQUIRE(aos_dequeue(gone[i], text, sizeof text, NULL) == AOS_ERROR_GONE, "handle %d dequeues", i);
        REQUIRE(aos_dequeue_begin(gone[i], &message) == AOS_ERROR_GONE, "handle %d begins", i);
        REQUIRE(aos_try_enqueue(gone[i], text, sizeof text) == AOS_ERROR_GONE, "handle %d enqueues", i);
    }
    REQUIRE_OK(aos_try_dequeue(&next, text, sizeof text, NULL));
    REQUIRE_OK(aos_queue_destroy(&next));
    return segments_end();
}
