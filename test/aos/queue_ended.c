// SPDX-License-Identifier: BSD-3-Clause
// A queue is ended while others send, and its memory has another queue at once: nobody's message appears there, senders are told, and
// the owner waits for none that waits for room.
// ways: 64:4:tcp
#include "segments.h"

#ifdef __NEWLIB__
#define ROUNDS 4 // all others ask for the queue all the time, and are in the way of its owner
#else
#define ROUNDS 150
#endif
#define BYTES 2000

static char text[BYTES];

// Of the next one nobody knows: it stays empty, and keeps what its owner sends.
static void use_alone(void) {
    aos_queue_t other;
    aos_message_t message;
    REQUIRE_OK(aos_queue_create(&other, 2, BYTES, 4, NULL, NULL));
    for (int look = 0; look < 50; look++)
        REQUIRE(aos_try_dequeue_begin(&other, &message) == AOS_ERROR_EMPTY, "a message that nobody has sent");
    for (int i = 1; i <= 4; i++) {
        memset(text, i, BYTES);
        REQUIRE_OK(aos_try_enqueue(&other, text, BYTES));
    }
    for (int i = 1; i <= 4; i++) {
        REQUIRE_OK(aos_dequeue(&other, text, BYTES, NULL));
        for (int at = 0; at < BYTES; at++) REQUIRE(text[at] == i, "byte %d of message %d is %d", at, i, text[at]);
    }
    REQUIRE_OK(aos_queue_destroy(&other));
}

static void own(void) {
    for (int round = 0; round < ROUNDS; round++) {
        aos_queue_t queue;
        REQUIRE_OK(aos_queue_create(&queue, 1, BYTES, 4, NULL, NULL));
        for (int i = 0; pes > 1 && i < round % 7; i++) REQUIRE_OK(aos_dequeue(&queue, text, BYTES, NULL));
        REQUIRE_OK(aos_queue_destroy(&queue));
        use_alone();
    }
}

static void send(const aos_segment_t *stop) {
    for (int64_t stopped = 0; !stopped;) {
        aos_queue_t queue;
        REQUIRE_OK(aos_peek(stop, 0, &stopped, NULL));
        if (aos_queue_clone(&queue, 1, AOS_TRY) != AOS_SUCCESS) continue;
        int outcome = AOS_SUCCESS;
        while (outcome == AOS_SUCCESS) outcome = aos_enqueue(&queue, text, BYTES);
        REQUIRE(outcome == AOS_ERROR_GONE, "a sender was told %d", outcome);
        REQUIRE_OK(aos_queue_destroy(&queue)); // its own handle
    }
}

int main(void) {
    aos_segment_t stop;
    static int64_t word;
    segments_begin(0);
    if (me == 0) REQUIRE_OK(aos_segment_create(&stop, 3, &word, sizeof word, NULL));
    else REQUIRE_OK(aos_segment_clone(&stop, 3, 0));
    if (me == 0) {
        own();
        REQUIRE_OK(aos_poke(&stop, 0, 1));
    } else {
        send(&stop);
    }
    barrier();
    return segments_end();
}
