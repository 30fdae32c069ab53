// SPDX-License-Identifier: BSD-3-Clause
// Remote queues: from all PEs to each, of several sizes and capacities; every message comes once, whole, in its sender's order;
// blocking and not, in place, with one sender, and with several reading threads' tickets.
// ways: 4:2:remote
#include "segments.h"

struct message {
    int64_t sender;
    int64_t number;
    unsigned char body[240];
};

#define PES_MOST TEST_SIZE(64, 16)

static int64_t next_of[PES_MOST]; // sender: number of its next message

static size_t bytes_of(int64_t number, size_t largest) {
    return 16 + (size_t)(number * 37) % (largest - 15);
}

static void fill(struct message *message, int64_t number, size_t bytes) {
    message->sender = me;
    message->number = number;
    test_fill(message->body, bytes - 16, (uint64_t)(me * 1000 + number));
}

static void check(const struct message *message, size_t bytes, size_t largest) {
    int64_t sender = message->sender;
    REQUIRE(sender >= 0 && sender < pes, "a message of PE %ld", (long)sender);
    REQUIRE(message->number == next_of[sender], "PE %ld's message %ld came instead of %ld", (long)sender,
            (long)message->number, (long)next_of[sender]);
    next_of[sender]++;
    REQUIRE(bytes == bytes_of(message->number, largest), "message %ld has %zu bytes", (long)message->number, bytes);
    size_t wrong = test_first_wrong(message->body, bytes - 16, (uint64_t)(sender * 1000 + message->number));
    REQUIRE(wrong == bytes - 16, "message %ld of PE %ld: byte %zu is wrong", (long)message->number, (long)sender,
            wrong);
}

static void receive_one(aos_queue_t *own, size_t largest, int64_t how, bool wait) {
    struct message message;
    size_t bytes;
    aos_message_t place;
    int outcome;
    if (how % 3 == 0) {
        outcome = wait ? aos_dequeue(own, &message, sizeof message, &bytes)
                       : aos_try_dequeue(own, &message, sizeof message, &bytes);
        if (outcome == AOS_SUCCESS) check(&message, bytes, largest);
    } else {
        outcome = wait ? aos_dequeue_begin(own, &place) : aos_try_dequeue_begin(own, &place);
        if (outcome == AOS_SUCCESS) {
            check(place.data, place.bytes, largest);
            REQUIRE_OK(aos_dequeue_end(own, &place));
        }
    }
    REQUIRE(outcome == AOS_SUCCESS || (!wait && outcome == AOS_ERROR_EMPTY), "dequeue: %s", aos_error_text(outcome));
}

// Each PE sends to everybody and takes what has come whenever its own sending finds no room.
static void all_to_all(size_t largest, uint32_t capacity, uint32_t flags, int round) {
    aos_queue_t own, to[PES_MOST];
    aos_options_t options = {.flags = flags};
    int rounds = test_rounds(1000) / 4 + 5;
    memset(next_of, 0, sizeof next_of);
    REQUIRE_OK(aos_queue_create(&own, segment_id(me, round), largest, capacity, NULL, &options));
    for (int pe = 0; pe < pes; pe++) REQUIRE_OK(aos_queue_clone(&to[pe], segment_id(pe, round), 0));
    for (int64_t number = 0; number < rounds; number++)
        for (int k = 0; k < pes; k++) {
            struct message message;
            size_t bytes = bytes_of(number, largest);
            fill(&message, number, bytes);
            int outcome;
            while ((outcome = aos_try_enqueue(&to[(me + k) % pes], &message, bytes)) == AOS_ERROR_FULL)
                receive_one(&own, largest, number, false);
            REQUIRE_OK(outcome);
        }
    for (;;) {
        int64_t come = 0;
        for (int pe = 0; pe < pes; pe++) come += next_of[pe];
        if (come == (int64_t)rounds * pes) break;
        receive_one(&own, largest, come, true);
    }
    REQUIRE(aos_try_dequeue_begin(&own, &(aos_message_t){0}) == AOS_ERROR_EMPTY, "a message too many");
    barrier();
    REQUIRE_OK(aos_queue_destroy(&own));
    barrier();
}

// Blocking: everybody else fills a small queue of PE 0.
static void all_to_first(uint32_t capacity, uint32_t flags, int round) {
    aos_queue_t queue;
    aos_options_t options = {.flags = flags};
    int rounds = test_rounds(2000);
    memset(next_of, 0, sizeof next_of);
    if (me == 0) REQUIRE_OK(aos_queue_create(&queue, segment_id(0, round), 256, capacity, NULL, &options));
    else REQUIRE_OK(aos_queue_clone(&queue, segment_id(0, round), 0));
    if (me == 0) {
        for (int64_t i = 0; i < (int64_t)rounds * (pes - 1); i++) receive_one(&queue, 256, i, true);
    } else {
        for (int64_t number = 0; number < rounds; number++) {
            struct message message;
            fill(&message, number, bytes_of(number, 256));
            REQUIRE_OK(aos_enqueue(&queue, &message, bytes_of(number, 256)));
        }
    }
    barrier();
    REQUIRE_OK(aos_queue_destroy(&queue));
    barrier();
}

// A pipeline of queues with one sender each.
static void one_to_one(uint32_t capacity, int round) {
    aos_queue_t own, right;
    aos_options_t options = {.flags = AOS_ONE_SENDER};
    int rounds = test_rounds(2000);
    REQUIRE_OK(aos_queue_create(&own, segment_id(me, round), 16, capacity, NULL, &options));
    REQUIRE_OK(aos_queue_clone(&right, segment_id(right_of(me), round), 0));
    int64_t value[2] = {me, 0}, got[2];
    for (int64_t i = 0; i < rounds; i++) {
        value[1] = i;
        REQUIRE_OK(aos_enqueue(&right, value, sizeof value));
        if (i % (int64_t)capacity == (int64_t)capacity - 1 || i == rounds - 1)
            for (int64_t k = i - i % (int64_t)capacity; k <= i; k++) {
                REQUIRE_OK(aos_dequeue(&own, got, sizeof got, NULL));
                REQUIRE(got[0] == left_of(me) && got[1] == k, "message %ld of PE %ld instead of %ld", (long)got[1],
                        (long)got[0], (long)k);
            }
    }
    barrier();
    REQUIRE_OK(aos_queue_destroy(&own));
    barrier();
}

static void wrong_use(int round) {
    aos_queue_t own, right;
    aos_segment_t segment;
    char large[64];
    REQUIRE_OK(aos_queue_create(&own, segment_id(me, round), 32, 2, NULL, NULL));
    REQUIRE_ERROR(aos_queue_create(&right, segment_id(me, round), 32, 2, NULL, NULL), AOS_ERROR_EXISTS);
    REQUIRE_ERROR(aos_segment_clone(&segment, segment_id(me, round), 0), AOS_ERROR_PROTOCOL);
    REQUIRE_OK(aos_queue_clone(&right, segment_id(right_of(me), round), 0));
    REQUIRE_ERROR(aos_enqueue(&right, large, 33), AOS_ERROR_SIZE);
    REQUIRE_ERROR(aos_try_enqueue(&right, large, SIZE_MAX), AOS_ERROR_SIZE);
    if (pes > 1) REQUIRE_ERROR(aos_try_dequeue(&right, large, sizeof large, NULL), AOS_ERROR_BINDING);
    barrier();
    memset(large, 1, sizeof large);
    REQUIRE_OK(aos_try_enqueue(&right, large, 32));
    REQUIRE_OK(aos_try_enqueue(&right, large, 0));
    REQUIRE_ERROR(aos_try_enqueue(&right, large, 1), AOS_ERROR_FULL);
    barrier();
    size_t bytes = 0;
    REQUIRE_ERROR(aos_dequeue(&own, large, 31, &bytes), AOS_ERROR_SIZE);
    REQUIRE(bytes == 32, "the message has %zu bytes", bytes);
    REQUIRE_OK(aos_dequeue(&own, large, 32, &bytes)); // it is still there
    REQUIRE_OK(aos_dequeue(&own, large, 0, &bytes));
    REQUIRE(bytes == 0, "the empty message has %zu bytes", bytes);
    barrier();
    REQUIRE_OK(aos_queue_destroy(&own));
    barrier();
    REQUIRE_ERROR(aos_try_enqueue(&right, large, 1), AOS_ERROR_GONE);
    barrier();
}

static void published_later(int round) {
    aos_queue_t own, right;
    aos_options_t later = {.flags = AOS_UNPUBLISHED};
    REQUIRE_OK(aos_queue_create(&own, segment_id(me, round), 8, 1, NULL, &later));
    barrier();
    REQUIRE_ERROR(aos_queue_clone(&right, segment_id(right_of(me), round), AOS_TRY), AOS_ERROR_NOT_FOUND);
    barrier();
    REQUIRE_OK(aos_queue_publish(&own));
    REQUIRE_OK(aos_queue_clone(&right, segment_id(right_of(me), round), 0));
    int64_t message = me, got;
    REQUIRE_OK(aos_enqueue(&right, &message, 8));
    REQUIRE_OK(aos_dequeue(&own, &got, 8, NULL));
    REQUIRE(got == left_of(me), "the message is of PE %ld", (long)got);
    barrier();
    REQUIRE_OK(aos_queue_destroy(&right));
    REQUIRE_OK(aos_queue_destroy(&own));
    barrier();
}

int main(void) {
    segments_begin(0);
    REQUIRE(pes <= PES_MOST, "this test is for at most %d PEs", PES_MOST);
    all_to_all(16, 1, 0, 1);
    all_to_all(64, 3, 0, 2);
    all_to_all(256, 64, 0, 3);
    all_to_all(100, 4, AOS_MANY_READERS, 4);
    all_to_first(1, 0, 5);
    all_to_first(16, 0, 6);
    all_to_first(2, AOS_MANY_READERS, 7);
    one_to_one(1, 8);
    one_to_one(32, 9);
    wrong_use(10);
    published_later(11);
    return segments_end();
}
