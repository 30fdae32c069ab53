// SPDX-License-Identifier: BSD-3-Clause
// Puts and gets of segments with events go on while their core computes: the share of a transfer that is hidden behind
// computation of its length, the cycles of the smallest transfers, and the cycles of a posted atomic that follows a put
// whose event has not happened.
// pes: 2
#include "../aos/segments.h"

#define BYTES 65536
#define TIMES 10

static _Alignas(8) char here[BYTES], there[8 + BYTES];
static aos_segment_t right;

static uint32_t now(void) {
    uint32_t cycles;
    __asm__ volatile("rdcycle %0" : "=r"(cycles));
    return cycles;
}

// Computes for `cycles` cycles, without access to memory.
static void compute(uint32_t cycles) {
    for (const uint32_t began = now(); now() - began < cycles;) {
    }
}

// Blocks of a transfer of BYTES / 2 bytes in two dimensions; 0: a transfer of one range.
static size_t blocks;

static void move(bool puts, size_t bytes, aos_event_t *event) {
    const size_t block = blocks ? bytes / blocks : 0, pitch = 2 * block;
    if (blocks && puts) REQUIRE_OK(aos_put_sparse(here, pitch, &right, 8, pitch, block, blocks, event));
    else if (blocks) REQUIRE_OK(aos_get_sparse(here, pitch, &right, 8, pitch, block, blocks, event));
    else if (puts) REQUIRE_OK(aos_put(here, &right, 8, bytes, event));
    else REQUIRE_OK(aos_get(here, &right, 8, bytes, event));
}

// Returns the cycles of a transfer and its wait, with computation in between.
static uint32_t timed(bool puts, size_t bytes, uint32_t computation) {
    aos_event_t event;
    const uint32_t began = now();
    move(puts, bytes, &event);
    if (computation) compute(computation);
    REQUIRE_OK(aos_event_wait(&event));
    return now() - began;
}

static uint32_t least(bool puts, size_t bytes) {
    uint32_t least = UINT32_MAX;
    for (int i = 0; i < TIMES; i++) {
        const uint32_t took = timed(puts, bytes, 0);
        if (took < least) least = took;
        REQUIRE_OK(aos_fence(&right, NULL));
    }
    return least;
}

static void hide(const char *name, bool puts, size_t bytes, unsigned bar) {
    const uint32_t alone = least(puts, bytes);
    const uint32_t both = timed(puts, bytes, alone);
    const unsigned hidden = 100 - (both - alone) * 100 / alone;
    printf("%-29s %5u cycles, hidden %u %%\n", name, (unsigned)alone, hidden);
    REQUIRE(hidden >= bar, "%s: %u %% hidden, less than %u", name, hidden, bar);
    REQUIRE_OK(aos_fence(&right, NULL));
}

static void smallest(const char *name, bool puts, unsigned most) {
    const uint32_t took = least(puts, 8);
    printf("%-29s %5u cycles\n", name, (unsigned)took);
    REQUIRE(took <= most, "%s: %u cycles, more than %u", name, (unsigned)took, most);
}

// The atomic must not wait for the put, which takes 17500 cycles, but must be performed behind it. The instruction cache is
// cold for it.
static void follow(void) {
    aos_event_t event;
    uint32_t least = UINT32_MAX;
    for (int i = 0; i < TIMES; i++) {
        int64_t seen = 0;
        memset(here, i + 1, BYTES);
        REQUIRE_OK(aos_put(here, &right, 8, BYTES, &event));
        const uint32_t began = now();
        REQUIRE_OK(aos_postadd(&right, 0, 1));
        const uint32_t took = now() - began;
        if (took < least) least = took;
        while (seen != i + 1) REQUIRE_OK(aos_peek(&right, 0, &seen, NULL));
        char last = 0;
        REQUIRE_OK(aos_get(&last, &right, BYTES + 7, 1, NULL));
        REQUIRE(last == i + 1, "the atomic has overtaken the put: %d, not %d", last, i + 1);
        REQUIRE_OK(aos_event_wait(&event));
    }
    printf("%-29s %5u cycles\n", "posted atomic behind a put", (unsigned)least);
    REQUIRE(least <= 600, "a posted atomic behind a put: %u cycles, more than 600", (unsigned)least);
}

int main(void) {
    aos_segment_t own;
    segments_begin(0);
    REQUIRE_OK(aos_segment_create(&own, segment_id(me, 1), there, sizeof there, NULL));
    REQUIRE_OK(aos_segment_clone(&right, segment_id(right_of(me), 1), 0));
    barrier();
    if (me == 0) {
        smallest("put of 8 bytes and event", true, 550);
        smallest("get of 8 bytes and event", false, 550);
        hide("put of 64 KB and event", true, BYTES, 90);
        hide("get of 64 KB and event", false, BYTES, 90);
        hide("put of 16 KB and event", true, 16384, 75);
        hide("get of 16 KB and event", false, 16384, 78);
        follow();
        blocks = 64;
        hide("put of 64 blocks of 512 bytes", true, BYTES / 2, 80);
        hide("get of 64 blocks of 512 bytes", false, BYTES / 2, 80);
        blocks = 512;
        hide("put of 512 blocks of 64 bytes", true, BYTES / 2, 80);
        hide("get of 512 blocks of 64 bytes", false, BYTES / 2, 80);
    }
    barrier();
    return segments_end();
}
