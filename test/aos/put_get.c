// SPDX-License-Identifier: BSD-3-Clause
// Puts and gets of many sizes and offsets, to memory of every kind: the bytes arrive, and no others change.
// ways: 4:2:remote 64:4:tcp
#include "segments.h"

#define BYTES MEMORY_STATIC_BYTES

static const size_t sizes[] = {0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 63, 64, 65, 200, 1000, 4096, 20000, BYTES - 200};
static unsigned char local[BYTES], back[BYTES];

static void put_and_get(const aos_segment_t *right, uint64_t offset, size_t bytes, bool with_event) {
    aos_event_t event;
    memset(&event, -1, sizeof event); // what was in an event before matters to nobody
    test_fill(local, bytes, (uint64_t)me + bytes);
    REQUIRE_OK(aos_put(local, right, offset, bytes, with_event ? &event : NULL));
    if (with_event) REQUIRE_OK(aos_event_wait(&event));
    REQUIRE_OK(aos_fence(right, NULL));
    memset(back, 0, bytes);
    REQUIRE_OK(aos_get(back, right, offset, bytes, with_event ? &event : NULL));
    if (with_event) REQUIRE(aos_event_wait(&event) == AOS_SUCCESS, "the get failed");
    size_t wrong = test_first_wrong(back, bytes, (uint64_t)me + bytes);
    REQUIRE(wrong == bytes, "%zu bytes: byte %zu came back wrong", bytes, wrong);
}

static void check(const unsigned char *memory, uint64_t offset, size_t bytes, const char *kind) {
    size_t wrong = test_first_wrong(memory + offset, bytes, (uint64_t)left_of(me) + bytes);
    REQUIRE(wrong == bytes, "%s: %zu bytes: byte %zu is wrong", kind, bytes, wrong);
    REQUIRE(test_all_guard(memory, offset), "%s: %zu bytes changed what is before them", kind, bytes);
    REQUIRE(test_all_guard(memory + offset + bytes, BYTES - offset - bytes), "%s: %zu bytes changed what is behind",
            kind, bytes);
}

static void work(enum memory_kind kind, unsigned char *memory) {
    static int round;
    aos_segment_t own, right;
    round++;
    memset(memory, TEST_GUARD, BYTES);
    REQUIRE_OK(aos_segment_create(&own, segment_id(me, round), memory, BYTES, NULL));
    REQUIRE_OK(aos_segment_clone(&right, segment_id(right_of(me), round), 0));
    REQUIRE(aos_segment_bytes(&right) == BYTES && aos_segment_owner(&right) == right_of(me), "the clone is another");
    for (size_t i = 0; i < TEST_COUNT(sizes); i++) {
        if (sizes[i] > BYTES - 200) continue;
        uint64_t offset = i * 10 + 1;
        barrier();
        put_and_get(&right, offset, sizes[i], i & 1);
        barrier();
        check(memory, offset, sizes[i], memory_names[kind]);
        memset(memory, TEST_GUARD, BYTES);
    }
    barrier();
    REQUIRE_OK(aos_segment_destroy(&right));
    REQUIRE_OK(aos_segment_destroy(&own));
    barrier();
}

int main(void) {
    segments_begin(0);
    with_every_memory(BYTES, work);
    return segments_end();
}
