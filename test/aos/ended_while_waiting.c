// SPDX-License-Identifier: BSD-3-Clause
// A segment is destroyed while conditional atomics of another PE wait in it: that PE is told, by an event, by a routine that waits and
// by a fence, and nothing was changed. Later accesses are refused where they are checked.
// skip: epiphany
// ways: 4:4:tcp
#include "segments.h"

#define WORDS 4

static int round_number;

static void work(enum memory_kind kind, unsigned char *memory) {
    aos_segment_t own, left;
    aos_event_t event;
    int64_t old = 5, *words = (int64_t *)(void *)memory;
    const uint64_t round = (uint64_t)++round_number;
    aos_condition_t never = {.offset = 8, .value = 12345, .condition = AOS_EQUAL};
    memset(memory, 0, WORDS * 8);
    REQUIRE_OK(aos_segment_create(&own, segment_id(me, (int)round), memory, WORDS * 8, NULL));
    REQUIRE_OK(aos_segment_clone(&left, segment_id(left_of(me), (int)round), 0));
    REQUIRE_OK(aos_swap_when(&left, 0, 1, &never, &old, &event));
    REQUIRE_OK(aos_postadd_when(&left, 16, 1, &never, NULL));
    REQUIRE(aos_event_test(&event) == 0, "%s: done before its time", memory_names[kind]);
    barrier();
    if (me % 2 == 0 && pes % 2 == 0) {
        // The left neighbour ends its segment while this PE waits.
        REQUIRE_ERROR(aos_peek_when(&left, 8, &never, &old, NULL), AOS_ERROR_GONE);
    } else {
        test_sleep_ms(3);
    }
    REQUIRE_OK(aos_segment_destroy(&own));
    REQUIRE_ERROR(aos_event_wait(&event), AOS_ERROR_GONE);
    REQUIRE_OK(aos_fence_all(NULL));
    REQUIRE(old == 5, "%s: a cancelled operation fetched %ld", memory_names[kind], (long)old);
    barrier();
    REQUIRE(words[0] == 0 && words[2] == 0, "%s: %ld and %ld", memory_names[kind], (long)words[0], (long)words[2]);
    REQUIRE_ERROR(aos_swap_when(&left, 0, 1, &never, &old, NULL), AOS_ERROR_GONE);
    if (kind >= MEMORY_MALLOC && pes > 1) {
        REQUIRE_ERROR(aos_fetchadd(&left, 0, 1, &old, NULL), AOS_ERROR_GONE);
        REQUIRE_ERROR(aos_put(&old, &left, 0, 8, NULL), AOS_ERROR_GONE);
        REQUIRE_ERROR(aos_get(&old, &left, 0, 8, NULL), AOS_ERROR_GONE);
    }
    REQUIRE_OK(aos_segment_destroy(&left));
    barrier();
}

int main(void) {
    segments_begin(0);
    with_every_memory(WORDS * 8, work);
    return segments_end();
}
