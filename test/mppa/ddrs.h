// SPDX-License-Identifier: BSD-3-Clause
// What the programs of ddrs.sh do with the two DDRs: blocks in both at once, transfers, atomics, and wrong uses.
#ifndef TEST_MPPA_DDRS_H
#define TEST_MPPA_DDRS_H

#include "check.h"

#include <string.h>

enum {
    NUMBERS = 2048, // in a block of 8 KB
    SPACED = 32,    // blocks of 4 bytes at distances
};

static off64_t take(int ddr, size_t bytes) {
    off64_t block = -1;
    CHECK(mppa_async_malloc(ddr ? MPPA_ASYNC_DDR_1 : MPPA_ASYNC_DDR_0, bytes, &block, NULL) == 0);
    if (sizeof(long) == 4) // the simulated chip: the second half of each DDR
        CHECK(block >= 0xa8000000 + ddr * 0x10000000LL && block + (off64_t)bytes <= 0xb0000000 + ddr * 0x10000000LL);
    return block;
}

static void fill(int *numbers, int seed) {
    for (int i = 0; i < NUMBERS; i++) numbers[i] = seed * 100003 + i * 7;
}

static void put_block(mppa_async_segment_t *ddr, off64_t block, int seed) {
    static int numbers[NUMBERS];
    mppa_async_event_t event;
    fill(numbers, seed);
    CHECK(mppa_async_put(numbers, ddr, block, 64, NULL) == 0);
    CHECK(mppa_async_put(numbers + 16, ddr, block + 64, sizeof numbers - 64, &event) == 0);
    CHECK(mppa_async_event_wait(&event) == 0);
    CHECK(mppa_async_fence(ddr, NULL) == 0);
}

static void check_block(mppa_async_segment_t *ddr, off64_t block, int seed) {
    static int expected[NUMBERS], numbers[NUMBERS];
    mppa_async_event_t event;
    fill(expected, seed);
    memset(numbers, 0, sizeof numbers);
    CHECK(mppa_async_get(numbers, ddr, block, 32, NULL) == 0);
    CHECK(mppa_async_get(numbers + 8, ddr, block + 32, sizeof numbers - 32, &event) == 0);
    CHECK(mppa_async_event_wait(&event) == 0);
    CHECK(memcmp(numbers, expected, sizeof numbers) == 0);
    memset(numbers, 0, sizeof numbers);
    CHECK(mppa_async_get_spaced(numbers, ddr, block, 8, NUMBERS / 4, 16, NULL) == 0);
    for (int i = 0; i < NUMBERS / 4; i++)
        CHECK(numbers[2 * i] == expected[4 * i] && numbers[2 * i + 1] == expected[4 * i + 1]);
}

// The address of a block is its offset, and the program can load from it.
static void check_address(mppa_async_segment_t *ddr, off64_t block, int seed) {
    static int expected[NUMBERS];
    int *numbers = NULL;
    CHECK(mppa_async_address(ddr, block, &numbers) == 0);
    CHECK((uintptr_t)numbers == (uintptr_t)block);
    fill(expected, seed);
    CHECK(memcmp(numbers, expected, sizeof expected) == 0);
}

// A block of one DDR gets from a block of the other one: few bytes, many with an event, and blocks at distances.
static void get_between(mppa_async_segment_t *to, off64_t to_block, mppa_async_segment_t *from, off64_t from_block,
                        int seed) {
    static int expected[NUMBERS];
    int *const numbers = (int *)(intptr_t)to_block;
    mppa_async_event_t event;
    put_block(from, from_block, seed);
    CHECK(mppa_async_get(numbers, from, from_block, 12, NULL) == 0);
    CHECK(mppa_async_get(numbers + 3, from, from_block + 12, sizeof expected / 2, NULL) == 0);
    CHECK(mppa_async_get(numbers + NUMBERS / 2 + 3, from, from_block + 12 + sizeof expected / 2,
                         sizeof expected / 2 - 12, &event) == 0);
    CHECK(mppa_async_event_wait(&event) == 0);
    check_block(to, to_block, seed);
    memset(numbers, 0, 2 * SPACED * sizeof(int));
    CHECK(mppa_async_sget_spaced(numbers, from, from_block, 4, SPACED, 8, 8, &event) == 0);
    CHECK(mppa_async_event_wait(&event) == 0);
    fill(expected, seed);
    for (int i = 0; i < 2 * SPACED; i++) CHECK(numbers[i] == (i % 2 == 0 ? expected[i] : 0));
    CHECK(mppa_async_get(numbers, from, from_block, sizeof expected, NULL) == 0);
}

// A block is in the segment of its DDR only.
static void check_offset(mppa_async_segment_t *ddr, mppa_async_segment_t *other, off64_t block) {
    const void *address = (void *)(intptr_t)block;
    off64_t offset = -1;
    int *numbers = NULL;
    CHECK(mppa_async_offset(ddr, address, &offset) == 0 && offset == block);
    CHECK(mppa_async_offset(other, address, &offset) == -1);
    CHECK(mppa_async_offset(mppa_async_default_segment(3), address, &offset) == -1);
    CHECK(mppa_async_address(other, block, &numbers) == -1);
}

// Blocks of both DDRs, of program `me`.
static void use_both(int me, int round) {
    mppa_async_segment_t *const ddrs[2] = {MPPA_ASYNC_DDR_0, MPPA_ASYNC_DDR_1};
    off64_t blocks[2], words[2];
    int first[NUMBERS];
    for (int k = 0; k < 2; k++) {
        blocks[k] = take(k, NUMBERS * sizeof(int));
        put_block(ddrs[k], blocks[k], 1000 * round + 10 * me + k);
    }
    for (int k = 0; k < 2; k++) {
        long long value = -1;
        check_block(ddrs[k], blocks[k], 1000 * round + 10 * me + k);
        check_address(ddrs[k], blocks[k], 1000 * round + 10 * me + k);
        check_offset(ddrs[k], ddrs[!k], blocks[k]);
        words[k] = take(k, sizeof(long long));
        CHECK(mppa_async_poke(ddrs[k], words[k], 5) == 0);
        CHECK(mppa_async_postadd(ddrs[k], words[k], me) == 0);
        CHECK(mppa_async_fetchadd(ddrs[k], words[k], 1, &value, NULL) == 0 && value == 5 + me);
        CHECK(mppa_async_peek(ddrs[k], words[k], &value, NULL) == 0 && value == 6 + me);
        // Not with a null pointer, not through the other segment, and not behind the end.
        CHECK(mppa_async_put(NULL, ddrs[k], blocks[k], 8, NULL) == -1);
        CHECK(mppa_async_get(NULL, ddrs[k], blocks[k], 8, NULL) == -1);
        CHECK(mppa_async_get_spaced(NULL, ddrs[k], blocks[k], 8, 2, 16, NULL) == -1);
        CHECK(mppa_async_put(NULL, ddrs[k], blocks[k], 0, NULL) == 0);
        CHECK(mppa_async_get(first, ddrs[!k], blocks[k], sizeof first, NULL) == -1);
        CHECK(mppa_async_put(first, ddrs[!k], blocks[k], 8, NULL) == -1);
        CHECK(mppa_async_get(first, ddrs[k], blocks[k], (size_t)1 << 31, NULL) == -1);
    }
    for (int k = 0; k < 2; k++) get_between(ddrs[k], blocks[k], ddrs[!k], blocks[!k], 2000 * round + 10 * me + k);
    for (int k = 0; k < 2; k++) {
        CHECK(mppa_async_free(ddrs[k], blocks[k], NULL) == 0);
        CHECK(mppa_async_free(ddrs[k], words[k], NULL) == 0);
    }
}

#endif
