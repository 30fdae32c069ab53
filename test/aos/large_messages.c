// SPDX-License-Identifier: BSD-3-Clause
// Messages of a queue that are larger than what the network sends in one message, and just as large: each comes whole, in its order,
// with every kind of queue, also when the queue is full.
// skip: epiphany
// ways: 4:2:remote
#include "segments.h"

#define LARGEST 40000
#define ROUNDS 30

static const size_t sizes[] = {LARGEST, 0, 1, 7000, 8100, 8192, 8193, 9000, 16384, LARGEST};

static uint64_t pattern(int pe, int round) {
    return (uint64_t)pe * 1000 + (uint64_t)round;
}

static void send_all(aos_queue_t *queue, aos_queue_t *own, uint32_t flags) {
    static char data[LARGEST], got[LARGEST];
    int received = 0;
    for (int round = 0; round < ROUNDS || received < ROUNDS;) {
        size_t bytes = sizes[(unsigned)round % TEST_COUNT(sizes)], come;
        if (round < ROUNDS) {
            test_fill(data, bytes, pattern(me, round));
            // Two of three sends do not wait. With an empty queue of room for two, a third one would wait for this PE itself.
            int outcome = round % 3 && round - received < 2 ? aos_enqueue(queue, data, bytes)
                                                            : aos_try_enqueue(queue, data, bytes);
            REQUIRE(outcome == AOS_SUCCESS || outcome == AOS_ERROR_FULL, "%zu bytes: %s", bytes,
                    aos_error_text(outcome));
            round += outcome == AOS_SUCCESS;
        }
        if (aos_try_dequeue(own, got, sizeof got, &come) != AOS_SUCCESS) continue;
        size_t wanted = sizes[(unsigned)received % TEST_COUNT(sizes)];
        REQUIRE(come == wanted, "message %d has %zu bytes instead of %zu, flags %x", received, come, wanted, flags);
        REQUIRE(test_first_wrong(got, come, pattern(left_of(me), received)) == come, "message %d is another, flags %x",
                received, flags);
        received++;
    }
}

static void with(uint32_t flags, int round) {
    aos_queue_t own, right;
    aos_options_t options = {.flags = flags};
    REQUIRE_OK(aos_queue_create(&own, segment_id(me, round), LARGEST, 2, NULL, &options));
    REQUIRE_OK(aos_queue_clone(&right, segment_id(right_of(me), round), 0));
    REQUIRE_ERROR(aos_enqueue(&right, &own, LARGEST + 1), AOS_ERROR_SIZE);
    barrier();
    send_all(&right, &own, flags);
    barrier();
    // Full, and then destroyed: a sender that waits is told.
    static char data[LARGEST];
    for (int i = 0; i < 2; i++) REQUIRE_OK(aos_try_enqueue(&right, data, LARGEST));
    REQUIRE_ERROR(aos_try_enqueue(&right, data, LARGEST), AOS_ERROR_FULL);
    REQUIRE_ERROR(aos_try_enqueue(&right, data, 1), AOS_ERROR_FULL);
    barrier();
    if (me % 2 == 0 && pes > 1 && pes % 2 == 0) REQUIRE_ERROR(aos_enqueue(&right, data, LARGEST), AOS_ERROR_GONE);
    else test_sleep_ms(5);
    REQUIRE_OK(aos_queue_destroy(&own));
    barrier();
}

int main(void) {
    segments_begin(0);
    with(0, 1);
    with(AOS_ONE_SENDER, 2);
    with(AOS_MANY_READERS, 3);
    return segments_end();
}
