// SPDX-License-Identifier: BSD-3-Clause
// Events on the program's own words: every condition, any and all of several, on words of several PEs, and on queues.
// ways: 4:2:remote 64:4:tcp
#include "segments.h"

static int64_t words[8];

static void conditions(void) {
    static const struct {
        int condition;
        int64_t value;
        bool holds;
    } cases[] = {{AOS_ALWAYS, 0, true},        {AOS_EQUAL, -5, true},      {AOS_EQUAL, 5, false},
                 {AOS_NOT_EQUAL, 5, true},     {AOS_NOT_EQUAL, -5, false}, {AOS_LESS, 0, true},
                 {AOS_LESS, -5, false},        {AOS_LESS_EQUAL, -5, true}, {AOS_LESS_EQUAL, -6, false},
                 {AOS_GREATER, -6, true},      {AOS_GREATER, 0, false},    {AOS_GREATER_EQUAL, -5, true},
                 {AOS_GREATER_EQUAL, 0, false}};
    int64_t on_stack = -5;
    words[7] = -5;
    for (size_t i = 0; i < TEST_COUNT(cases); i++)
        for (int k = 0; k < 2; k++) {
            aos_event_t event;
            REQUIRE_OK(aos_event_set(&event, k ? &words[7] : &on_stack, cases[i].condition, cases[i].value));
            REQUIRE(aos_event_test(&event) == cases[i].holds, "case %zu is wrong", i);
            if (cases[i].holds) REQUIRE_OK(aos_event_wait(&event));
        }
}

// A ball goes round; each waits for its own word.
static void ring(const aos_segment_t *right, int rounds) {
    for (int64_t round = 1; round <= rounds; round++) {
        aos_event_t come;
        REQUIRE_OK(aos_event_set(&come, &words[0], AOS_EQUAL, round));
        if (me == 0) REQUIRE_OK(aos_poke(right, 0, round));
        REQUIRE_OK(aos_event_wait(&come));
        if (me != 0) REQUIRE_OK(aos_poke(right, 0, round));
    }
}

// PE 0 waits for any of its words, which the others set in turn; then for all.
static void several(const aos_segment_t *first, int rounds) {
    aos_event_t events[4];
    aos_event_t *list[5] = {&events[0], &events[1], NULL, &events[2], &events[3]};
    for (int64_t round = 1; round <= rounds; round++) {
        if (me == (int)(round % pes)) REQUIRE_OK(aos_poke(first, (uint64_t)(1 + round % 4) * 8, round));
        if (me == 0) {
            size_t index = 99;
            for (int i = 0; i < 4; i++) REQUIRE_OK(aos_event_set(&events[i], &words[1 + i], AOS_EQUAL, round));
            REQUIRE_OK(aos_event_wait_any(list, 5, &index));
            size_t wanted = (size_t)(round % 4) + (round % 4 >= 2);
            REQUIRE(index == wanted, "round %ld: event %zu happened instead of %zu", (long)round, index, wanted);
            REQUIRE(aos_event_test_any(list, 5, &index) == 1 && index == wanted, "test_any does not see it");
            REQUIRE(aos_event_test_all(list, 5) == 0, "test_all sees all");
        }
        barrier();
    }
    for (int i = 0; i < 4; i++)
        if (me == i % pes) REQUIRE_OK(aos_poke(first, (uint64_t)(1 + i) * 8, -1));
    if (me == 0) {
        for (int i = 0; i < 4; i++) REQUIRE_OK(aos_event_set(&events[i], &words[1 + i], AOS_EQUAL, -1));
        REQUIRE_OK(aos_event_wait_all(list, 5));
        REQUIRE(aos_event_test_all(list, 5) == 1, "test_all does not see them");
    }
    barrier();
}

// Words of two PEs at once: no single bell tells of both.
static void of_several_pes(const aos_segment_t *right, int rounds) {
    aos_event_t own, theirs;
    aos_event_t *both[2] = {&own, &theirs};
    int64_t *there = aos_pointer(right, 48, 8);
    REQUIRE(there || segments_have_nodes(), "no pointer to symmetric memory");
    if (!there) there = &words[6]; // the neighbour is on another node
    for (int64_t round = 1; round <= rounds; round++) {
        size_t index;
        REQUIRE_OK(aos_event_set(&own, &words[5], AOS_EQUAL, round));
        REQUIRE_OK(aos_event_set(&theirs, there, AOS_EQUAL, round));
        if (round & 1) REQUIRE_OK(aos_poke(right, 40, round));
        else words[6] = round;
        REQUIRE_OK(aos_event_wait_any(both, 2, &index));
        REQUIRE(index == (round & 1 ? 0u : 1u), "round %ld: event %zu", (long)round, index);
        barrier();
    }
}

static void of_queues(int rounds) {
    aos_queue_t own[2], right[2];
    aos_event_t events[2];
    aos_event_t *list[2] = {&events[0], &events[1]};
    for (int i = 0; i < 2; i++) REQUIRE_OK(aos_queue_create(&own[i], segment_id(me, 10 + i), 8, 2, NULL, NULL));
    for (int i = 0; i < 2; i++) REQUIRE_OK(aos_queue_clone(&right[i], segment_id(right_of(me), 10 + i), 0));
    for (int64_t round = 0; round < rounds; round++) {
        size_t index;
        int64_t got = -1;
        REQUIRE_OK(aos_enqueue(&right[round % 2], &round, 8));
        for (int i = 0; i < 2; i++) REQUIRE_OK(aos_queue_event(&own[i], &events[i]));
        REQUIRE_OK(aos_event_wait_any(list, 2, &index));
        REQUIRE_OK(aos_try_dequeue(&own[index], &got, 8, NULL));
        REQUIRE(got == round && index == (size_t)(round % 2), "message %ld from queue %zu", (long)got, index);
        barrier();
    }
    for (int i = 0; i < 2; i++) REQUIRE_OK(aos_queue_destroy(&own[i]));
}

int main(void) {
    aos_segment_t own, right, first;
    segments_begin(0);
    conditions();
    REQUIRE_OK(aos_segment_create(&own, segment_id(me, 1), words, sizeof words, NULL));
    REQUIRE_OK(aos_segment_clone(&right, segment_id(right_of(me), 1), 0));
    REQUIRE_OK(aos_segment_clone(&first, segment_id(0, 1), 0));
    barrier();
    ring(&right, segments_rounds(2000) / 4);
    barrier();
    several(&first, segments_rounds(400));
    of_several_pes(&right, segments_rounds(400));
    of_queues(segments_rounds(1000));
    return segments_end();
}
