// SPDX-License-Identifier: BSD-3-Clause
// What counts segments passes 2^32 (on a chip, the end of a machine word): a handle of a segment that was destroyed is not taken for
// the next segment's in the same entry; conditional atomics that wait are cancelled with their own segment only; a PE that waits for a
// segment finds it when it is published; and words that change while something waits are looked at.
// link: static
// pes: 1 2 3
#include <skerry/aos/internal.h>

#include "segments.h"

#define ROUNDS 6 // across the last number

static int64_t words[16];
static const uint64_t turn = UINT64_C(1) << 32;

// Each PE, of what its own area counts.
static void start_at(uint64_t count) {
    struct skerry_aos_area *area = skerry_aos.area;
    area->published = (uint32_t)count;
    area->changes = (skerry_word)count;
}

// A segment in an entry that as many others have had before.
static aos_segment_t create(uint64_t id, uint64_t generation) {
    aos_segment_t segment;
    aos_options_t unpublished = {.flags = AOS_UNPUBLISHED};
    REQUIRE_OK(aos_segment_create(&segment, id, words, sizeof words, &unpublished));
    segment.entry->generation = (skerry_word)generation;
    segment.generation = (skerry_word)generation;
    REQUIRE_OK(aos_segment_publish(&segment));
    return segment;
}

static aos_event_t park(const aos_segment_t *segment, int64_t *result) {
    aos_event_t event;
    aos_condition_t set = {.offset = 8, .value = 1, .condition = AOS_EQUAL};
    REQUIRE_OK(aos_fetchadd_when(segment, 0, 1, &set, result, &event));
    return event;
}

// Segments one after the other in one entry.
static void pass_generations(uint64_t first) {
    aos_segment_t own = create(segment_id(me, 1), first), before = own;
    for (int round = 0; round < ROUNDS; round++) {
        words[1] = 0;
        int64_t result = -1, later = -1;
        aos_event_t cancelled = park(&own, &result);
        before = own;
        aos_segment_t clone;
        REQUIRE_OK(aos_segment_clone(&clone, segment_id(me, 1), 0));
        REQUIRE_OK(aos_segment_destroy(&own));
        REQUIRE_ERROR(aos_event_wait(&cancelled), AOS_ERROR_GONE);
        REQUIRE_OK(aos_segment_create(&own, segment_id(me, 1), words, sizeof words, NULL));
        REQUIRE(own.entry == before.entry, "another entry");
        REQUIRE((skerry_word)own.generation == (skerry_word)(first + (unsigned)round + 1), "generation %lx in round %d",
                (unsigned long)own.generation, round);
        REQUIRE_ERROR(aos_segment_publish(&before), AOS_ERROR_GONE);
        REQUIRE(!aos_pointer(&before, 0, 8), "a handle of a destroyed segment gives a pointer");
        REQUIRE(!aos_pointer(&clone, 0, 8), "a clone of a destroyed segment gives a pointer");
        // With a word of 64 bits, neither does the handle of a segment 2^32 ones ago.
        aos_segment_t old = own;
        old.generation -= (size_t)turn;
        REQUIRE(sizeof(skerry_word) < 8 || !aos_pointer(&old, 0, 8), "an old handle gives a pointer");
        aos_event_t done = park(&own, &later);
        REQUIRE(!aos_event_test(&done), "an operation whose condition does not hold");
        REQUIRE_OK(aos_poke(&own, 8, 1));
        REQUIRE_OK(aos_event_wait(&done));
        REQUIRE(later == round, "%ld operations before this one", (long)later);
    }
    REQUIRE_OK(aos_segment_destroy(&own));
    words[0] = 0;
}

// Each waits for the other's segment, which comes later, and changes words on which somebody waits.
static void find_and_change(int round) {
    aos_segment_t own, right;
    int64_t result = -1;
    words[0] = words[1] = 0;
    barrier();
    if (me % 2 == round % 2) test_sleep_ms(2);
    REQUIRE_OK(aos_segment_create(&own, segment_id(me, 2 + round), words, sizeof words, NULL));
    REQUIRE_OK(aos_segment_clone(&right, segment_id(right_of(me), 2 + round), 0));
    aos_event_t done = park(&right, &result);
    barrier();
    REQUIRE_OK(aos_poke(&right, 8, 1));
    REQUIRE_OK(aos_event_wait(&done));
    REQUIRE(result == 0, "the word was %ld", (long)result);
    barrier();
    REQUIRE_OK(aos_segment_destroy(&own));
}

int main(void) {
    segments_begin(0);
    start_at(turn - 3);
    barrier();
    pass_generations(turn - 3);
    pass_generations(0 - UINT64_C(3)); // the end of the word
    barrier();                         // nobody publishes any more
    start_at(turn - 2);
    for (int round = 0; round < ROUNDS; round++) find_and_change(round);
    return segments_end();
}
