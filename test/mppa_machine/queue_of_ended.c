// SPDX-License-Identifier: BSD-3-Clause
// A queue of a PE whose program has ended is gone, also for a sender that has sent to it before.
// pes: 2
#include "../aos/segments.h"

#define NUMBER 3

static void require_gone(aos_queue_t *queue) {
    const int64_t message = 1;
    int error;
    do error = aos_enqueue(queue, &message, sizeof message);
    while (error == AOS_SUCCESS);
    REQUIRE(error == AOS_ERROR_GONE, "aos_enqueue: %s", aos_error_text(error));
    REQUIRE_ERROR(aos_try_enqueue(queue, &message, sizeof message), AOS_ERROR_GONE);
}

int main(void) {
    aos_queue_t queue;
    int64_t message = 1;
    test_begin();
    REQUIRE_OK(aos_init(AOS_ALONE)); // so the end of a program waits for no other
    if (me == 1) {
        REQUIRE_OK(aos_queue_create(&queue, NUMBER, sizeof message, 64, NULL, NULL));
        REQUIRE_OK(aos_dequeue(&queue, &message, sizeof message, NULL));
        REQUIRE_OK(aos_finalize());
        exit(0);
    }
    REQUIRE_OK(aos_queue_clone(&queue, NUMBER, 0));
    REQUIRE_OK(aos_enqueue(&queue, &message, sizeof message));
    require_gone(&queue);
    REQUIRE_OK(aos_finalize());
    return 0;
}
