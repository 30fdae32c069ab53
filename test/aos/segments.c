// SPDX-License-Identifier: BSD-3-Clause
// Numbers: published and found, waited for, taken, given up and taken again; for some PEs only; very many of them.
#include "segments.h"

static int64_t words[8];

static void waited_for(void) {
    aos_segment_t own, left;
    aos_options_t later = {.flags = AOS_UNPUBLISHED};
    REQUIRE_OK(aos_segment_create(&own, segment_id(me, 1), words, sizeof words, &later));
    barrier();
    REQUIRE_ERROR(aos_segment_clone(&left, segment_id(left_of(me), 1), AOS_TRY), AOS_ERROR_NOT_FOUND);
    REQUIRE_ERROR(aos_segment_create(&left, segment_id(me, 1), words, 8, NULL), AOS_ERROR_EXISTS);
    barrier();
    // One after the other round the ring: each publishes when it has found its left neighbour's.
    if (me == 0) words[0] = 1000;
    if (me != 0) {
        REQUIRE_OK(aos_segment_clone(&left, segment_id(left_of(me), 1), 0));
        int64_t value;
        REQUIRE_OK(aos_get(&value, &left, 0, 8, NULL));
        REQUIRE(value == 1000 + left_of(me), "what was written before publishing is %ld", (long)value);
        words[0] = value + 1;
    }
    REQUIRE_OK(aos_segment_publish(&own));
    REQUIRE_OK(aos_segment_publish(&own));
    REQUIRE_OK(aos_segment_clone(&left, segment_id(left_of(me), 1), 0));
    REQUIRE_ERROR(aos_segment_publish(&left), AOS_ERROR_BINDING);
    barrier();
    REQUIRE_OK(aos_segment_destroy(&own));
    barrier();
    REQUIRE_ERROR(aos_segment_clone(&left, segment_id(left_of(me), 1), AOS_TRY), AOS_ERROR_NOT_FOUND);
    barrier();
}

// Everybody wants the same number; one gets it, time after time.
static void contended(void) {
    for (int round = 0; round < segments_rounds(200); round++) {
        aos_segment_t own, found;
        int outcome = aos_segment_create(&own, 77, words, sizeof words, NULL);
        REQUIRE(outcome == AOS_SUCCESS || outcome == AOS_ERROR_EXISTS, "create: %s", aos_error_text(outcome));
        REQUIRE_OK(aos_segment_clone(&found, 77, 0));
        if (outcome == AOS_SUCCESS) REQUIRE(aos_segment_owner(&found) == me, "another PE has the number too");
        barrier();
        if (outcome == AOS_SUCCESS) REQUIRE_OK(aos_segment_destroy(&own));
        barrier();
    }
}

static void bound(void) {
    aos_segment_t own, other;
    aos_options_t only = {.first_pe = right_of(me), .pe_count = 1};
    REQUIRE_OK(aos_segment_create(&own, segment_id(me, 2), words, sizeof words, &only));
    barrier();
    for (int pe = 0; pe < pes; pe++) {
        bool mine = pe == me || right_of(pe) == me;
        REQUIRE_ERROR(aos_segment_clone(&other, segment_id(pe, 2), 0), mine ? AOS_SUCCESS : AOS_ERROR_BINDING);
    }
    barrier();
    REQUIRE_OK(aos_segment_destroy(&own));
    barrier();
}

static void very_many(void) {
    static aos_segment_t own[SEGMENTS_OF_ALL];
    int count = SEGMENTS_OF_ALL / pes;
    for (int i = 0; i < count; i++)
        REQUIRE_OK(aos_segment_create(&own[i], segment_id(me, 1000 + i), &words[i % 8], 8, NULL));
    barrier();
    for (int i = 0; i < count; i++) {
        aos_segment_t other;
        REQUIRE_OK(aos_segment_clone(&other, segment_id(right_of(me), 1000 + i), AOS_TRY));
        REQUIRE(aos_segment_id(&other) == segment_id(right_of(me), 1000 + i), "another number was found");
        REQUIRE(aos_segment_owner(&other) == right_of(me) && aos_segment_bytes(&other) == 8, "another segment");
    }
    barrier();
    for (int i = 0; i < count; i += 2) REQUIRE_OK(aos_segment_destroy(&own[i]));
    barrier();
    for (int i = 0; i < count; i++) {
        aos_segment_t other;
        REQUIRE_ERROR(aos_segment_clone(&other, segment_id(right_of(me), 1000 + i), AOS_TRY),
                      i % 2 ? AOS_SUCCESS : AOS_ERROR_NOT_FOUND);
    }
    barrier();
    for (int i = 1; i < count; i += 2) REQUIRE_OK(aos_segment_destroy(&own[i]));
    barrier();
}

// Load and store, where the segment is near.
static void pointers(void) {
    aos_segment_t own, right;
    char *private = malloc(64);
    REQUIRE_OK(aos_segment_create(&own, segment_id(me, 3), words, sizeof words, NULL));
    REQUIRE_OK(aos_segment_clone(&right, segment_id(right_of(me), 3), 0));
    int64_t *there = aos_pointer(&right, 8, 8);
    REQUIRE(there ? aos_offset(&right, there) == 8 : segments_have_nodes(), "no pointer to symmetric memory");
    REQUIRE(there || aos_offset(&right, &words[1]) == UINT64_MAX, "an offset of an address of another node's segment");
    REQUIRE(aos_offset(&own, &words[3]) == 24, "the offset of an own word is %ld", (long)aos_offset(&own, &words[3]));
    REQUIRE(aos_offset(&own, private) == UINT64_MAX, "an offset of what is not inside");
    barrier();
    if (there) *there = 400 + me;
    else REQUIRE_OK(aos_put(&(int64_t){400 + me}, &right, 8, 8, NULL));
    REQUIRE_OK(aos_fence(&right, NULL));
    barrier();
    REQUIRE(words[1] == 400 + left_of(me), "a store through the pointer did not arrive: %ld", (long)words[1]);
    REQUIRE_OK(aos_segment_destroy(&own));
    barrier();
    REQUIRE_OK(aos_segment_create(&own, segment_id(me, 4), private, 64, NULL));
    REQUIRE_OK(aos_segment_clone(&right, segment_id(right_of(me), 4), 0));
    REQUIRE(aos_pointer(&own, 5, 1) == private + 5 && aos_offset(&own, private + 5) == 5, "own private memory");
    REQUIRE(MEMORY_ALL_NEAR || pes == 1 || !aos_pointer(&right, 0, 1), "a pointer to another PE's private memory");
    barrier();
    REQUIRE_OK(aos_segment_destroy(&own));
    free(private);
    barrier();
}

int main(void) {
    segments_begin(0);
    waited_for();
    contended();
    bound();
    very_many();
    pointers();
    return segments_end();
}
