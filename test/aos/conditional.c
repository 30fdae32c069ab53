// SPDX-License-Identifier: BSD-3-Clause
// Conditional atomics: done at once when their condition holds, else when somebody makes it hold, by an atomic, a put, or a
// plain store; none is lost and none is done twice.
// ways: 4:2:remote 64:4:tcp
#include "segments.h"

#define WORDS 16

static aos_segment_t own, right, first;
static volatile int64_t *words;

static aos_condition_t when(uint64_t word, int condition, int64_t value) {
    return (aos_condition_t){.offset = word * 8, .value = value, .condition = condition};
}

static void at_once(void) {
    int64_t old = -1;
    aos_condition_t holds = when(1, AOS_GREATER_EQUAL, 0);
    REQUIRE_OK(aos_poke_when(&right, 8, 5, &holds, NULL));
    REQUIRE_OK(aos_postadd_when(&right, 8, 3, &holds, NULL));
    REQUIRE_OK(aos_postand_when(&right, 8, 12, &holds, NULL));
    REQUIRE_OK(aos_postor_when(&right, 8, 1, &holds, NULL));
    REQUIRE_OK(aos_postxor_when(&right, 8, 3, &holds, NULL));
    REQUIRE_OK(aos_fetchadd_when(&right, 8, 1, &holds, &old, NULL));
    REQUIRE(old == 10, "fetchadd_when brought %ld", (long)old);
    REQUIRE_OK(aos_swap_when(&right, 8, 20, &holds, &old, NULL));
    REQUIRE(old == 11, "swap_when brought %ld", (long)old);
    REQUIRE_OK(aos_cswap_when(&right, 8, 20, 21, &holds, &old, NULL));
    REQUIRE(old == 20, "cswap_when brought %ld", (long)old);
    REQUIRE_OK(aos_peek_when(&right, 8, &holds, &old, NULL));
    REQUIRE(old == 21, "peek_when brought %ld", (long)old);
    REQUIRE_OK(aos_fetchclear_when(&right, 8, &holds, &old, NULL));
    REQUIRE(old == 21, "fetchclear_when brought %ld", (long)old);
    REQUIRE_OK(aos_fence(&right, NULL));
}

// A token goes round: each PE adds to its right neighbour's word when its own round has come there.
static void ring(int rounds) {
    for (int64_t round = 1; round <= rounds; round++) {
        int64_t old;
        if (me == 0) REQUIRE_OK(aos_poke(&right, 16, round));
        aos_condition_t mine = when(2, AOS_EQUAL, round);
        REQUIRE_OK(aos_peek_when(&own, 16, &mine, &old, NULL));
        if (me != 0) REQUIRE_OK(aos_poke(&right, 16, round));
    }
}

// A counting semaphore: never more holders than there are.
static void semaphore(int rounds) {
    aos_condition_t free = when(3, AOS_GREATER, 0);
    for (int i = 0; i < rounds; i++) {
        int64_t old, holders;
        REQUIRE_OK(aos_fetchadd_when(&first, 24, -1, &free, &old, NULL));
        REQUIRE(old > 0, "taken when there was none: %ld", (long)old);
        REQUIRE_OK(aos_fetchadd(&first, 32, 1, &holders, NULL));
        REQUIRE(holders >= 0 && holders < 2, "%ld held it before", (long)holders);
        REQUIRE_OK(aos_postadd(&first, 32, -1));
        REQUIRE_OK(aos_postadd(&first, 24, 1));
    }
}

// Posted ones wait until a put changes the word they watch; the fence sees them done.
static void by_puts(int rounds) {
    for (int64_t round = 1; round <= rounds; round++) {
        aos_condition_t come = when(5, AOS_GREATER_EQUAL, round);
        REQUIRE_OK(aos_postadd_when(&own, 48, 1, &come, NULL));
        REQUIRE_OK(aos_put(&round, &right, 40, 8, NULL));
        REQUIRE_OK(aos_fence(&own, NULL));
        REQUIRE(words[6] == round, "after %ld rounds there were %ld", (long)round, (long)words[6]);
    }
}

// A plain store of the owner's is seen when it waits or looks round.
static void by_store(void) {
    aos_event_t done;
    aos_condition_t come = when(7, AOS_NOT_EQUAL, 0);
    REQUIRE_OK(aos_poke_when(&right, 64, 9, &come, &done));
    REQUIRE(aos_event_test(&done) == 0, "it was done before its time");
    barrier();
    words[7] = 1;
    aos_progress();
    REQUIRE_OK(aos_event_wait(&done));
    barrier();
    REQUIRE(words[8] == 9, "the word is %ld", (long)words[8]);
}

// More than any list holds: those who find it full wait until they have a place.
static void many(int each) {
    for (int i = 0; i < each; i++) {
        aos_condition_t open = when(9, AOS_EQUAL, 1);
        REQUIRE_OK(aos_postadd_when(&first, 80, 1, &open, NULL));
    }
    barrier();
    if (me == 0) REQUIRE(words[10] == 0, "%ld were done too early", (long)words[10]);
    barrier();
    if (me == 0) REQUIRE_OK(aos_poke(&first, 72, 1));
    REQUIRE_OK(aos_fence_all(NULL));
    barrier();
    if (me == 0) REQUIRE(words[10] == (int64_t)each * pes, "%ld of %d were done", (long)words[10], each * pes);
}

static void cancelled(uint64_t id) {
    aos_segment_t other;
    aos_event_t event;
    int64_t old = 5;
    REQUIRE_OK(aos_segment_create(&other, id, (void *)(uintptr_t)words, WORDS * 8, NULL));
    aos_condition_t never = when(15, AOS_EQUAL, 12345);
    REQUIRE_OK(aos_fetchadd_when(&other, 0, 1, &never, &old, &event));
    REQUIRE_OK(aos_poke_when(&other, 0, 1, &never, NULL));
    REQUIRE_OK(aos_segment_destroy(&other));
    REQUIRE_ERROR(aos_event_wait(&event), AOS_ERROR_GONE);
    REQUIRE(old == 5, "a cancelled operation brought a value");
    REQUIRE_OK(aos_fence_all(NULL));
}

static void work(enum memory_kind kind, unsigned char *memory) {
    memset(memory, 0, WORDS * 8);
    words = (volatile int64_t *)(void *)memory;
    if (me == 0) words[3] = 2;
    REQUIRE_OK(aos_segment_create(&own, segment_id(me, (int)kind), memory, WORDS * 8, NULL));
    REQUIRE_OK(aos_segment_clone(&right, segment_id(right_of(me), (int)kind), 0));
    REQUIRE_OK(aos_segment_clone(&first, segment_id(0, (int)kind), 0));
    barrier();
    at_once();
    barrier();
    ring(test_rounds(200) / 4);
    barrier();
    semaphore(test_rounds(400) / 4);
    barrier();
    by_puts(test_rounds(400) / 4);
    barrier();
    by_store();
    many(PARKED_OF_ONE / pes);
    barrier();
    cancelled(segment_id(me, (int)kind + 100));
    barrier();
    REQUIRE_OK(aos_segment_destroy(&own));
    barrier();
}

int main(void) {
    segments_begin(0);
    with_every_memory(WORDS * 8, work);
    return segments_end();
}
