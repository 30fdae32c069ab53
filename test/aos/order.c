// SPDX-License-Identifier: BSD-3-Clause
// pes: 2 3 4 8
// An atomic is seen only after its initiator's earlier puts to the segment, whatever their size and wherever the segment is; also
// where copies are so large that they bypass the caches.
// ways: 4:2:remote
#include "segments.h"

#define LARGEST ((size_t)MEMORY_LARGE_BYTES)

static const size_t small_sizes[] = {1, 8, 16, 24, 64, 100, 256, 1024, 4000, 16384, 60000};
static aos_segment_t own, right;
static int64_t *sequence; // puts that have come from the left
static unsigned char *source;

// A put, then the sequence; the receiver looks at the first, the last and some in between.
static void exchange(size_t bytes, int64_t round, unsigned char *data, bool by_fetch) {
    int64_t old;
    memset(source, (int)(round & 127) + 1, bytes);
    REQUIRE_OK(aos_put(source, &right, 64, bytes, NULL));
    if (by_fetch) REQUIRE_OK(aos_fetchadd(&right, 0, 1, &old, NULL));
    else REQUIRE_OK(aos_postadd(&right, 0, 1));
    aos_event_t come;
    REQUIRE_OK(aos_event_set(&come, &sequence[0], AOS_GREATER_EQUAL, round));
    REQUIRE_OK(aos_event_wait(&come));
    size_t step = bytes > 4096 ? 509 : 1;
    for (size_t i = 0; i < bytes; i += step)
        REQUIRE(data[64 + i] == (round & 127) + 1, "%zu bytes, round %ld: byte %zu is old", bytes, (long)round, i);
    REQUIRE(data[64 + bytes - 1] == (round & 127) + 1, "%zu bytes, round %ld: the last is old", bytes, (long)round);
}

static void begin(unsigned char *memory, size_t bytes, int round) {
    memset(memory, 0, 64);
    sequence = (int64_t *)(void *)memory;
    REQUIRE_OK(aos_segment_create(&own, segment_id(me, round), memory, bytes, NULL));
    REQUIRE_OK(aos_segment_clone(&right, segment_id(right_of(me), round), 0));
    barrier();
}

static void end(void) {
    barrier();
    REQUIRE_OK(aos_segment_destroy(&own));
    barrier();
}

static void work(enum memory_kind kind, unsigned char *memory) {
    int64_t round = 0;
    begin(memory, MEMORY_STATIC_BYTES, (int)kind);
    for (size_t i = 0; i < TEST_COUNT(small_sizes) && small_sizes[i] + 64 <= MEMORY_STATIC_BYTES; i++)
        for (int k = test_rounds(60); k > 0; k--) {
            exchange(small_sizes[i], ++round, memory, k & 1);
            barrier();
        }
    end();
}

int main(void) {
    segments_begin(0);
    source = malloc(LARGEST);
    REQUIRE(source, "no memory");
    with_every_memory(MEMORY_STATIC_BYTES, work);
    unsigned char *large = aos_malloc(LARGEST + 64);
    if (pes == 2 && large) { // where there is so much memory of no PE, and not too many want it
        int64_t round = 0;
        begin(large, LARGEST + 64, 50);
        for (int k = 0; k < 3; k++) {
            exchange(LARGEST, ++round, large, k & 1);
            barrier();
            exchange(LARGEST / 4 + 5, ++round, large, !(k & 1));
            barrier();
        }
        end();
    }
    aos_free(large);
    free(source);
    return segments_end();
}
