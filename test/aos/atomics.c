// SPDX-License-Identifier: BSD-3-Clause
// Every atomic, on memory of every kind: alone, and from all PEs on the same words at once.
// ways: 4:2:remote
#include "segments.h"

#define WORDS 16

static aos_segment_t right, first;

static int64_t peek(const aos_segment_t *segment, uint64_t word) {
    int64_t value = -1;
    REQUIRE_OK(aos_peek(segment, word * 8, &value, NULL));
    return value;
}

static void each_alone(void) {
    int64_t old = -1;
    REQUIRE_OK(aos_poke(&right, 0, 40));
    REQUIRE_OK(aos_postadd(&right, 0, 2));
    REQUIRE(peek(&right, 0) == 42, "poke and postadd: %ld", (long)peek(&right, 0));
    REQUIRE_OK(aos_postand(&right, 0, ~INT64_C(2)));
    REQUIRE_OK(aos_postor(&right, 0, 5));
    REQUIRE_OK(aos_postxor(&right, 0, INT64_MIN));
    REQUIRE(peek(&right, 0) == (INT64_MIN | 45), "and, or, xor: %#lx", (unsigned long)peek(&right, 0));
    REQUIRE_OK(aos_fetchadd(&right, 0, 1, &old, NULL));
    REQUIRE(old == (INT64_MIN | 45), "fetchadd: %#lx", (unsigned long)old);
    REQUIRE_OK(aos_swap(&right, 0, 7, &old, NULL));
    REQUIRE(old == (INT64_MIN | 46), "swap: %#lx", (unsigned long)old);
    REQUIRE_OK(aos_cswap(&right, 0, 8, 9, &old, NULL));
    REQUIRE(old == 7 && peek(&right, 0) == 7, "cswap of another value: %ld", (long)old);
    REQUIRE_OK(aos_cswap(&right, 0, 7, 9, &old, NULL));
    REQUIRE(old == 7 && peek(&right, 0) == 9, "cswap: %ld", (long)old);
    REQUIRE_OK(aos_fetchclear(&right, 0, &old, NULL));
    REQUIRE(old == 9 && peek(&right, 0) == 0, "fetchclear: %ld", (long)old);
}

static void with_events(void) {
    int64_t values[5] = {-1, -1, -1, -1, -1};
    aos_event_t events[5], *list[5];
    for (int i = 0; i < 5; i++) list[i] = &events[i];
    REQUIRE_OK(aos_fetchadd(&right, 8, 5, &values[0], &events[0]));
    REQUIRE_OK(aos_swap(&right, 8, 11, &values[1], &events[1]));
    REQUIRE_OK(aos_cswap(&right, 8, 11, 12, &values[2], &events[2]));
    REQUIRE_OK(aos_fetchclear(&right, 8, &values[3], &events[3]));
    REQUIRE_OK(aos_peek(&right, 8, &values[4], &events[4]));
    REQUIRE_OK(aos_event_wait_all(list, 5));
    static const int64_t wanted[5] = {0, 5, 11, 12, 0};
    for (int i = 0; i < 5; i++) REQUIRE(values[i] == wanted[i], "operation %d brought %ld", i, (long)values[i]);
    for (int i = 0; i < 5; i++) REQUIRE_OK(aos_event_wait(&events[i])); // once more: it has happened
}

// Atomics of one PE on one segment are ordered: what it fetches is what its posts have left.
static void in_order(void) {
    for (int64_t i = 0; i < 50; i++) {
        int64_t old;
        REQUIRE_OK(aos_poke(&right, 16, i));
        REQUIRE_OK(aos_postadd(&right, 16, 100));
        REQUIRE_OK(aos_fetchadd(&right, 16, 1000, &old, NULL));
        REQUIRE(old == i + 100, "a fetch passed a post: %ld instead of %ld", (long)old, (long)i + 100);
    }
}

static void all_on_first(int rounds) {
    int64_t sum = 0, old, fetched = 0;
    for (int i = 0; i < rounds; i++) {
        REQUIRE_OK(aos_postadd(&first, 24, 1));
        REQUIRE_OK(aos_fetchadd(&first, 32, 1, &old, NULL));
        REQUIRE(old >= fetched, "a counter went back");
        fetched = old + 1;
        REQUIRE_OK(aos_postxor(&first, 40, INT64_C(1) << (me % 63)));
        REQUIRE_OK(aos_fetchclear(&first, 48, &old, NULL));
        sum += old;
        REQUIRE_OK(aos_postadd(&first, 48, 1));
        int64_t held = peek(&first, 7), seen;
        for (;; held = seen) { // an increment by compare-swap
            REQUIRE_OK(aos_cswap(&first, 56, held, held + 1, &seen, NULL));
            if (seen == held) break;
        }
    }
    REQUIRE_OK(aos_postadd(&first, 64, sum));
    REQUIRE_OK(aos_fence(&first, NULL));
}

static void work(enum memory_kind kind, unsigned char *memory) {
    aos_segment_t own;
    memset(memory, 0, WORDS * 8);
    REQUIRE_OK(aos_segment_create(&own, segment_id(me, (int)kind), memory, WORDS * 8, NULL));
    REQUIRE_OK(aos_segment_clone(&right, segment_id(right_of(me), (int)kind), 0));
    REQUIRE_OK(aos_segment_clone(&first, segment_id(0, (int)kind), 0));
    barrier();
    each_alone();
    with_events();
    in_order();
    barrier();
    int rounds = test_rounds(2000);
    all_on_first(rounds);
    barrier();
    if (me == 0) {
        const int64_t *words = (const int64_t *)(const void *)memory;
        int64_t all = (int64_t)rounds * pes;
        REQUIRE(words[3] == all, "%s: postadd lost %ld", memory_names[kind], (long)(all - words[3]));
        REQUIRE(words[4] == all, "%s: fetchadd lost %ld", memory_names[kind], (long)(all - words[4]));
        REQUIRE(rounds % 2 || words[5] == 0, "%s: postxor left %#lx", memory_names[kind], (unsigned long)words[5]);
        REQUIRE(words[6] + words[8] == all, "%s: fetchclear lost %ld", memory_names[kind],
                (long)(all - words[6] - words[8]));
        REQUIRE(words[7] == all, "%s: cswap lost %ld", memory_names[kind], (long)(all - words[7]));
    }
    barrier();
    REQUIRE_OK(aos_segment_destroy(&own));
    barrier();
}

int main(void) {
    segments_begin(0);
    with_every_memory(WORDS * 8, work);
    return segments_end();
}
