// SPDX-License-Identifier: BSD-3-Clause
// Spaced and sparse copies and blocks of two and three dimensions, of random geometry, against copies element by element.
// ways: 4:2:remote
#include "segments.h"

#define BYTES 16384

static unsigned char local[BYTES], expected[BYTES], before[BYTES];
static uint64_t seed = 5;
static unsigned char *target; // the right neighbour's memory as it should be
static aos_segment_t right;

static int below(int limit) {
    return (int)test_below(&seed, (size_t)limit);
}

// The neighbour's memory must be `expected`, and local memory what `before` was.
static void check_remote(const char *what) {
    static unsigned char seen[BYTES];
    REQUIRE_OK(aos_fence(&right, NULL));
    REQUIRE_OK(aos_get(seen, &right, 0, BYTES, NULL));
    for (size_t i = 0; i < BYTES; i++)
        REQUIRE(seen[i] == expected[i], "%s: byte %zu of the segment is %d instead of %d", what, i, seen[i],
                expected[i]);
    memcpy(target, expected, BYTES);
}

static void check_local(const char *what) {
    for (size_t i = 0; i < BYTES; i++)
        REQUIRE(local[i] == before[i], "%s: local byte %zu is %d instead of %d", what, i, local[i], before[i]);
}

static void fresh(void) {
    for (size_t i = 0; i < BYTES; i++) local[i] = (unsigned char)test_random(&seed);
    memcpy(before, local, BYTES);
    memcpy(expected, target, BYTES);
}

static void spaced(void) {
    size_t bytes = (size_t)below(40), blocks = (size_t)below(60);
    uint64_t pitch = bytes + (uint64_t)below(50), offset = (uint64_t)below(1000), here = bytes + (uint64_t)below(30);
    fresh();
    for (size_t i = 0; i < blocks; i++) memcpy(expected + offset + i * pitch, local + i * bytes, bytes);
    REQUIRE_OK(aos_put_spaced(local, &right, offset, bytes, blocks, pitch, NULL));
    check_remote("put_spaced");
    for (size_t i = 0; i < blocks; i++) memcpy(expected + offset + i * pitch, local + i * here, bytes);
    REQUIRE_OK(aos_put_sparse(local, here, &right, offset, pitch, bytes, blocks, NULL));
    check_remote("put_sparse");
    for (size_t i = 0; i < blocks; i++) memcpy(before + i * bytes, target + 7 + i * pitch, bytes);
    REQUIRE_OK(aos_get_spaced(local, &right, 7, bytes, blocks, pitch, NULL));
    check_local("get_spaced");
    for (size_t i = 0; i < blocks; i++) memcpy(before + i * here, target + i * pitch, bytes);
    REQUIRE_OK(aos_get_sparse(local, here, &right, 0, pitch, bytes, blocks, NULL));
    check_local("get_sparse");
}

static aos_point2d_t random_place(int width, int height) {
    aos_point2d_t point = {below(5), below(5), 0, 0};
    point.xdim = point.xpos + width + below(5);
    point.ydim = point.ypos + height + below(5);
    return point;
}

static size_t at2d(const aos_point2d_t *point, size_t elem, int x, int y) {
    return ((size_t)(point->ypos + y) * (size_t)point->xdim + (size_t)(point->xpos + x)) * elem;
}

static void rectangle(void) {
    size_t elem = (size_t)below(9) + 1, offset = (size_t)below(100);
    int width = below(20), height = below(20);
    aos_point2d_t here = random_place(width, height), there = random_place(width, height);
    bool dense = below(3) == 0;
    if (dense) here = (aos_point2d_t){0, 0, width, height};
    fresh();
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            memcpy(expected + offset + at2d(&there, elem, x, y), local + at2d(&here, elem, x, y), elem);
    REQUIRE_OK(aos_put_block2d(local, dense ? NULL : &here, &right, offset, &there, elem, width, height, NULL));
    check_remote("put_block2d");
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            memcpy(before + at2d(&here, elem, x, y), target + 3 + at2d(&there, elem, x, y), elem);
    aos_event_t event;
    REQUIRE_OK(aos_get_block2d(local, dense ? NULL : &here, &right, 3, &there, elem, width, height, &event));
    REQUIRE_OK(aos_event_wait(&event));
    check_local("get_block2d");
}

static size_t at3d(const aos_point3d_t *point, size_t elem, int x, int y, int z) {
    size_t row = (size_t)(point->zpos + z) * (size_t)point->ydim + (size_t)(point->ypos + y);
    return (row * (size_t)point->xdim + (size_t)(point->xpos + x)) * elem;
}

static void box(void) {
    size_t elem = (size_t)below(4) + 1, offset = (size_t)below(100);
    int width = below(9), height = below(9), depth = below(9);
    aos_point3d_t here = {below(3), below(3), below(3), 11, 11, 11}, there = {below(3), below(3), below(3), 12, 13, 14};
    fresh();
    for (int z = 0; z < depth; z++)
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                memcpy(expected + offset + at3d(&there, elem, x, y, z), local + at3d(&here, elem, x, y, z), elem);
    REQUIRE_OK(aos_put_block3d(local, &here, &right, offset, &there, elem, width, height, depth, NULL));
    check_remote("put_block3d");
    for (int z = 0; z < depth; z++)
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                memcpy(before + at3d(&here, elem, x, y, z), target + at3d(&there, elem, x, y, z), elem);
    REQUIRE_OK(aos_get_block3d(local, &here, &right, 0, &there, elem, width, height, depth, NULL));
    check_local("get_block3d");
}

static void outside(void) {
    aos_point2d_t point = {3, 3, 10, 10};
    unsigned char bytes[512] = {0};
    REQUIRE_ERROR(aos_put_block2d(bytes, NULL, &right, 0, &point, 1, 8, 2, NULL), AOS_ERROR_ARGUMENT);
    REQUIRE_ERROR(aos_put_block2d(bytes, NULL, &right, 0, &point, 1, 2, 8, NULL), AOS_ERROR_ARGUMENT);
    REQUIRE_ERROR(aos_put_block2d(bytes, NULL, &right, 0, &point, 1, -1, 2, NULL), AOS_ERROR_ARGUMENT);
    REQUIRE_ERROR(aos_put_block2d(bytes, NULL, &right, BYTES - 50, &point, 1, 2, 2, NULL), AOS_SUCCESS);
    REQUIRE_ERROR(aos_put_block2d(bytes, NULL, &right, BYTES - 44, &point, 1, 2, 2, NULL), AOS_ERROR_BOUNDS);
    REQUIRE_ERROR(aos_put_spaced(bytes, &right, 0, 16, 1u << 20, 1 << 20, NULL), AOS_ERROR_BOUNDS);
    REQUIRE_ERROR(aos_put_spaced(bytes, &right, 0, 16, SIZE_MAX, 16, NULL), AOS_ERROR_ARGUMENT);
    REQUIRE_ERROR(aos_get_spaced(bytes, &right, 0, 16, 2, UINT64_MAX, NULL), AOS_ERROR_BOUNDS);
    REQUIRE_ERROR(aos_get_spaced(bytes, &right, 0, 0, SIZE_MAX, 16, NULL), AOS_SUCCESS); // nothing, however often
    REQUIRE_ERROR(aos_put_spaced(bytes, NULL, 0, 16, 2, 16, NULL), AOS_ERROR_ARGUMENT);
    REQUIRE_OK(aos_get(target, &right, 0, BYTES, NULL));
}

static void work(enum memory_kind kind, unsigned char *memory) {
    aos_segment_t own;
    memset(memory, 0, BYTES);
    memset(target, 0, BYTES);
    REQUIRE_OK(aos_segment_create(&own, segment_id(me, (int)kind), memory, BYTES, NULL));
    REQUIRE_OK(aos_segment_clone(&right, segment_id(right_of(me), (int)kind), 0));
    barrier();
    outside();
    int rounds = MEMORY_ALL_NEAR ? 3 : test_rounds(60); // a small core takes long
    for (int i = 0; i < rounds; i++) {
        spaced();
        rectangle();
        box();
    }
    barrier();
    REQUIRE_OK(aos_segment_destroy(&own));
    barrier();
}

int main(void) {
    segments_begin(0);
    target = malloc(BYTES);
    with_every_memory(BYTES, work);
    free(target);
    return segments_end();
}
