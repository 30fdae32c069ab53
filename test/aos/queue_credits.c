// SPDX-License-Identifier: BSD-3-Clause
// A queue has room for as many messages as it was created for, no matter which PEs have sent to it before: for one sender
// after the other, and for its owner. Handles of a queue that has ended find that it is gone, also if another queue with the
// same number has taken its place, and the new queue has all of its room.
// ways: 4:2:remote
#include "segments.h"

#define MESSAGES 40
#define NUMBER 5

static aos_queue_t open_queue(void) {
    aos_queue_t queue;
    if (me == 0) REQUIRE_OK(aos_queue_create(&queue, NUMBER, 16, MESSAGES, NULL, NULL));
    else REQUIRE_OK(aos_queue_clone(&queue, NUMBER, 0));
    barrier();
    return queue;
}

// Takes all messages that are in the queue. Returns their number.
static int take_all(aos_queue_t *queue) {
    int64_t message[2];
    int count = 0;
    while (aos_try_dequeue(queue, message, sizeof message, NULL) == AOS_SUCCESS) {
        REQUIRE(message[1] == count, "message %ld of PE %ld came as number %d", (long)message[1], (long)message[0],
                count);
        count++;
    }
    return count;
}

// PE `sender` fills the queue, and the owner empties it.
static void fill(aos_queue_t *queue, int sender) {
    int count = 0;
    for (int error = AOS_SUCCESS; me == sender && error == AOS_SUCCESS;) {
        const int64_t message[2] = {me, count};
        error = aos_try_enqueue(queue, message, sizeof message);
        REQUIRE(error == AOS_SUCCESS || error == AOS_ERROR_FULL, "%s", aos_error_text(error));
        if (error == AOS_SUCCESS) count++;
    }
    REQUIRE(me != sender || count == MESSAGES, "PE %d has enqueued %d messages", me, count);
    barrier();
    if (me == 0) {
        const int taken = take_all(queue);
        REQUIRE(taken == MESSAGES, "%d messages came", taken);
    }
    barrier();
}

// Each PE sends some messages. On a machine with credits it then has credits that it does not use.
static void use(aos_queue_t *queue) {
    int64_t message[2] = {me, 0};
    for (int pe = 0; pe < pes; pe++) {
        for (int i = 0; i < 3 && me == pe; i++) {
            message[1] = i;
            REQUIRE_OK(aos_enqueue(queue, message, sizeof message));
        }
        barrier();
        if (me == 0) REQUIRE(take_all(queue) == 3, "not the messages of PE %d", pe);
        barrier();
    }
}

static void end(aos_queue_t *queue) {
    barrier();
    if (me == 0) REQUIRE_OK(aos_queue_destroy(queue));
    barrier();
}

static void require_gone(aos_queue_t *queue) {
    const int64_t message[2] = {me, 0};
    if (me == 0) return;
    REQUIRE_ERROR(aos_enqueue(queue, message, sizeof message), AOS_ERROR_GONE);
    REQUIRE_ERROR(aos_try_enqueue(queue, message, sizeof message), AOS_ERROR_GONE);
}

int main(void) {
    segments_begin(0);
    aos_queue_t queue = open_queue();
    use(&queue);
    for (int sender = 0; sender < pes; sender++) fill(&queue, sender);
    use(&queue);
    end(&queue);
    require_gone(&queue);
    barrier();
    aos_queue_t later = open_queue();
    use(&later);
    require_gone(&queue);
    for (int sender = pes - 1; sender >= 0; sender--) fill(&later, sender);
    require_gone(&queue);
    end(&later);
    require_gone(&later);
    return segments_end();
}
