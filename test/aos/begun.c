// SPDX-License-Identifier: BSD-3-Clause
// pes: 2 3 4
// Puts and gets with events: many at once, of one range and of blocks, small and large. The data is right when the event
// has happened, and a PE that sees a later atomic, a message of a queue or a fence sees the data of puts whose events
// nobody has waited for.
// skip: epiphany
// ways: 4:2:remote
#include "segments.h"

#ifdef __NEWLIB__
enum { BLOCKS = 5, LARGE = 6000, SMALL = 100, MANY = 100 };
#else
enum { BLOCKS = 7, LARGE = 200000, SMALL = 100, MANY = 5000 }; // MANY: more than there are replies (REPLIES_MAX)
#endif
enum { BYTES = 64 + 2 * BLOCKS * LARGE };

static aos_segment_t own, right, left_segment;
static aos_queue_t queue, to_right;
static unsigned char *memory, *source, *result;

static int left_of_me(void) {
    return (me + pes - 1) % pes;
}

static unsigned char pattern(int pe, int round, size_t at) {
    return (unsigned char)(pe * 53 + round * 17 + (int)(at * 31 + (at >> 8) * 7));
}

static void fill(unsigned char *data, size_t bytes, int round) {
    for (size_t i = 0; i < bytes; i++) data[i] = pattern(me, round, i);
}

static void require(const unsigned char *data, size_t bytes, int pe, int round, size_t from, const char *what) {
    for (size_t i = 0; i < bytes; i++)
        REQUIRE(data[i] == pattern(pe, round, from + i), "%s, round %d: byte %zu is wrong", what, round, i);
}

// Waits until the left PE has added to the first word of this PE's segment `count` times in all.
static void await_left(int64_t count) {
    aos_event_t come;
    REQUIRE_OK(aos_event_set(&come, (int64_t *)(void *)memory, AOS_GREATER_EQUAL, count));
    REQUIRE_OK(aos_event_wait(&come));
}

static int64_t added;

static void tell_right(void) {
    REQUIRE_OK(aos_postadd(&right, 0, 1));
    await_left(++added);
}

// All events are waited for, in a different order than their puts.
static void blocks_with_events(int round) {
    aos_event_t done[BLOCKS];
    fill(source, BLOCKS * LARGE, round);
    for (int i = 0; i < BLOCKS; i++)
        REQUIRE_OK(aos_put(source + i * LARGE, &right, 64 + (uint64_t)i * LARGE, i & 1 ? LARGE : SMALL,
                           &done[i])); // the last one is small
    if (round & 1) {                   // the events happen in order: the last one comes after all others
        REQUIRE_OK(aos_event_wait(&done[BLOCKS - 1]));
        for (int i = 0; i < BLOCKS; i++) {
            const int outcome = aos_event_test(&done[i]);
            REQUIRE(outcome == 1, "event %d has not happened, although a later one has: %d", i, outcome);
        }
    } else {
        for (int i = BLOCKS; i-- > 0;) REQUIRE_OK(aos_event_wait(&done[i]));
    }
    memset(source, 0, BLOCKS * LARGE); // allowed: the events have happened
    tell_right();
    for (int i = 0; i < BLOCKS; i++)
        require(memory + 64 + i * LARGE, i & 1 ? LARGE : SMALL, left_of_me(), round, (size_t)i * LARGE, "a put");
    barrier();
}

// A later atomic, message or fence covers puts whose events nobody has waited for.
static void order(int round, int kind) {
    aos_event_t done[2];
    fill(source, 2 * LARGE, round);
    for (int i = 0; i < 2; i++)
        REQUIRE_OK(aos_put(source + i * LARGE, &right, 64 + (uint64_t)i * LARGE, LARGE, &done[i]));
    int64_t message = round;
    if (kind == 0) {
        REQUIRE_OK(aos_enqueue(&to_right, &message, sizeof message));
        REQUIRE_OK(aos_dequeue(&queue, &message, sizeof message, NULL));
        REQUIRE(message == round, "message %ld in round %d", (long)message, round);
    } else if (kind == 1) {
        int64_t old;
        REQUIRE_OK(aos_fetchadd(&right, 0, 1, &old, NULL));
        await_left(++added);
    } else {
        REQUIRE_OK(aos_fence(&right, NULL));
        tell_right();
    }
    require(memory + 64, 2 * LARGE, left_of_me(), round, 0, "a put before an atomic, a message or a fence");
    for (int i = 0; i < 2; i++) REQUIRE_OK(aos_event_wait(&done[i]));
    barrier();
}

// Blocks of a size at which each is a transfer of its own, then gets of the same blocks.
static void strided(int round, size_t block) {
    aos_event_t done;
    fill(source, BLOCKS * block, round);
    REQUIRE_OK(aos_put_spaced(source, &right, 64, block, BLOCKS, 2 * block, &done));
    REQUIRE_OK(aos_event_wait(&done));
    tell_right();
    for (size_t i = 0; i < BLOCKS; i++)
        require(memory + 64 + 2 * i * block, block, left_of_me(), round, i * block, "a block");
    memset(result, 0, BLOCKS * block);
    REQUIRE_OK(aos_get_spaced(result, &right, 64, block, BLOCKS, 2 * block, &done));
    int outcome;
    while ((outcome = aos_event_test(&done)) == 0) {
    }
    REQUIRE(outcome == 1, "aos_event_test: %d", outcome);
    require(result, BLOCKS * block, me, round, 0, "gotten blocks");
    barrier();
}

// More gets than a PE has replies: those that find none complete before they return.
static void many_gets(int round) {
    static aos_event_t done[MANY];
    static uint32_t got[MANY];
    fill(memory + 64, MANY * 4, round);
    barrier();
    for (int i = 0; i < MANY; i++)
        REQUIRE_OK(aos_get(&got[i], &left_segment, 64 + 4 * (uint64_t)i, sizeof got[i], &done[i]));
    for (int i = 0; i < MANY; i++) {
        size_t index;
        aos_event_t *one = &done[i];
        REQUIRE_OK(aos_event_wait_any(&one, 1, &index));
    }
    require((const unsigned char *)got, sizeof got, left_of_me(), round, 0, "a get");
    barrier();
}

int main(void) {
    segments_begin(0);
    memory = aos_malloc(BYTES);
    source = malloc(BLOCKS * LARGE);
    result = malloc(BLOCKS * LARGE);
    REQUIRE(memory && source && result, "no memory");
    memset(memory, 0, 64);
    REQUIRE_OK(aos_segment_create(&own, segment_id(me, 1), memory, BYTES, NULL));
    REQUIRE_OK(aos_queue_create(&queue, segment_id(me, 2), 8, sizeof(int64_t), NULL, 0));
    REQUIRE_OK(aos_segment_clone(&right, segment_id(right_of(me), 1), 0));
    REQUIRE_OK(aos_segment_clone(&left_segment, segment_id(left_of_me(), 1), 0));
    REQUIRE_OK(aos_queue_clone(&to_right, segment_id(right_of(me), 2), 0));
    barrier();
    for (int round = 0; round < test_rounds(9); round++) {
        blocks_with_events(round);
        order(round, round % 3);
        strided(round, round & 1 ? 5000 : 60);
    }
    many_gets(1);
    // Nobody waits for this event. The end of the program waits for the put.
    aos_event_t forgotten;
    REQUIRE_OK(aos_put(source, &right, 64, LARGE, &forgotten));
    barrier();
    return segments_end();
}
