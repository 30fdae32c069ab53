// SPDX-License-Identifier: BSD-3-Clause
// Segments that are always there: all of a PE's memory, by its own addresses, and the memory of no PE.
// ways: 4:2:remote
#include "segments.h"

static int64_t statics[4];

static void whole_pe(void) {
    int64_t on_stack[4] = {0}, *on_heap = calloc(4, 8), *shared = aos_malloc(32), old;
    int64_t *mine[4] = {statics, on_stack, on_heap, shared};
    memset(statics, 0, sizeof statics);
    memset(shared, 0, 32);
    aos_segment_t addresses, table, right;
    REQUIRE_OK(aos_segment_create(&addresses, segment_id(me, 1), mine, sizeof mine, NULL));
    REQUIRE_OK(aos_segment_clone(&table, segment_id(right_of(me), 1), 0));
    REQUIRE_OK(aos_segment_of_pe(&right, right_of(me), 0));
    int64_t *theirs[4];
    REQUIRE_OK(aos_get(theirs, &table, 0, sizeof theirs, NULL));
    barrier();
    for (int i = 0; i < 4; i++) {
        uint64_t at = (uint64_t)(uintptr_t)theirs[i];
        int64_t value = 100 * me + i, back;
        REQUIRE_OK(aos_put(&value, &right, at, 8, NULL));
        REQUIRE_OK(aos_postadd(&right, at, 5));
        REQUIRE_OK(aos_fetchadd(&right, at + 8, 7, &old, NULL));
        aos_condition_t holds = {.offset = at + 8, .value = 7, .condition = AOS_EQUAL};
        REQUIRE_OK(aos_poke_when(&right, at + 16, 9, &holds, NULL));
        REQUIRE_OK(aos_fence(&right, NULL));
        REQUIRE_OK(aos_get(&back, &right, at, 8, NULL));
        REQUIRE(old == 0 && back == value + 5, "place %d: %ld and %ld", i, (long)old, (long)back);
    }
    barrier();
    for (int i = 0; i < 4; i++)
        REQUIRE(mine[i][0] == 100 * left_of(me) + i + 5 && mine[i][1] == 7 && mine[i][2] == 9, "place %d: %ld %ld %ld",
                i, (long)mine[i][0], (long)mine[i][1], (long)mine[i][2]);
    if (pes > 1) {
        REQUIRE_ERROR(aos_get(&old, &right, NOWHERE, 8, NULL), AOS_ERROR_FAULT);
        REQUIRE_ERROR(aos_put(&old, &right, NOWHERE, 8, NULL), AOS_ERROR_FAULT);
    }
    REQUIRE_ERROR(aos_get(&old, &right, UINT64_MAX, 2, NULL), AOS_ERROR_BOUNDS);
    barrier();
    REQUIRE_OK(aos_segment_destroy(&addresses));
    free(on_heap);
    aos_free(shared);
}

#ifndef __NEWLIB__
// What an owner would die of when it did it for another PE is an error of the other one's, and the owner goes on.
static void read_only(void) {
    static const _Alignas(8) int64_t constant[2] = {11, 12};
    uint64_t mine = (uint64_t)(uintptr_t)constant, at, nowhere = NOWHERE;
    int64_t old = 77;
    aos_segment_t address, table, right;
    REQUIRE_OK(aos_segment_create(&address, segment_id(me, 3), &mine, sizeof mine, NULL));
    REQUIRE_OK(aos_segment_clone(&table, segment_id(right_of(me), 3), 0));
    REQUIRE_OK(aos_get(&at, &table, 0, sizeof at, NULL));
    aos_condition_t there = {.offset = at, .value = 11, .condition = AOS_EQUAL};
    aos_condition_t nowhere_equal = {.offset = nowhere, .value = 0, .condition = AOS_EQUAL};
    REQUIRE_OK(aos_segment_of_pe(&right, right_of(me), 0));
    REQUIRE_OK(aos_peek(&right, at, &old, NULL));
    REQUIRE(old == 11, "a constant holds %ld", (long)old);
    REQUIRE_ERROR(aos_put(&old, &right, at, 8, NULL), AOS_ERROR_FAULT);
    REQUIRE_ERROR(aos_fetchadd(&right, at, 1, &old, NULL), AOS_ERROR_FAULT);
    REQUIRE_ERROR(aos_fetchadd(&right, nowhere, 1, &old, NULL), AOS_ERROR_FAULT);
    REQUIRE_ERROR(aos_swap_when(&right, at, 1, &there, &old, NULL), AOS_ERROR_FAULT);
    REQUIRE_ERROR(aos_peek_when(&right, at, &nowhere_equal, &old, NULL), AOS_ERROR_FAULT);
    REQUIRE_OK(aos_fence(&right, NULL));
    REQUIRE_OK(aos_postadd(&right, at, 1));
    REQUIRE_OK(aos_postadd(&right, nowhere, 1));
    REQUIRE_ERROR(aos_fence(&right, NULL), AOS_ERROR_FAULT);
    REQUIRE_OK(aos_fence(&right, NULL));
    REQUIRE_OK(aos_poke_when(&right, at, 1, &there, NULL));
    REQUIRE_ERROR(aos_fence(&right, NULL), AOS_ERROR_FAULT);
    REQUIRE_OK(aos_postadd(&right, at, 1));
    REQUIRE_ERROR(aos_fence_all(NULL), AOS_ERROR_FAULT);
    REQUIRE_OK(aos_peek_when(&right, at, &there, &old, NULL));
    REQUIRE(old == 11, "a constant was changed to %ld", (long)old);
    barrier();
    REQUIRE_OK(aos_segment_destroy(&address));
}
#endif

static void all_shared(void) {
    aos_segment_t whole;
    REQUIRE_OK(aos_segment_of_shared(&whole));
    static uint64_t offsets[64];
    aos_segment_t own, table, left;
    char *block = aos_malloc(1000);
    REQUIRE(block, "aos_malloc gave nothing");
    memset(block, 0, 1000);
    offsets[0] = aos_offset(&whole, block);
    REQUIRE(offsets[0] != UINT64_MAX && aos_pointer(&whole, offsets[0], 1000) == block, "offset and pointer differ");
    REQUIRE_OK(aos_segment_create(&own, segment_id(me, 2), offsets, sizeof offsets, NULL));
    REQUIRE_OK(aos_segment_clone(&table, segment_id(right_of(me), 2), 0));
    uint64_t there;
    REQUIRE_OK(aos_get(&there, &table, 0, 8, NULL));
    char data[1000];
    test_fill(data, 1000, (uint64_t)me);
    // Each node has such memory of its own.
    const bool is_same = aos_pointer(&table, 0, 8) != NULL;
    REQUIRE(is_same || segments_have_nodes(), "no pointer to symmetric memory");
    if (is_same) REQUIRE_OK(aos_put(data, &whole, there, 1000, NULL));
    REQUIRE_OK(aos_fence_all(NULL));
    REQUIRE_OK(aos_segment_clone(&left, segment_id(left_of(me), 2), 0));
    barrier();
    if (aos_pointer(&left, 0, 8))
        REQUIRE(test_first_wrong(block, 1000, (uint64_t)left_of(me)) == 1000, "the block is another");
    barrier();
    aos_free(block);
    REQUIRE_OK(aos_segment_destroy(&own));
}

int main(void) {
    segments_begin(0);
    whole_pe();
#ifndef __NEWLIB__
    if (pes > 1) read_only();
#endif
    all_shared();
    return segments_end();
}
