// SPDX-License-Identifier: BSD-3-Clause
// What the programs of ddrs.sh do with the two DDRs: blocks in both at once, transfers, atomics, and wrong uses.
#ifndef TEST_MPPA_DDRS_H
#define TEST_MPPA_DDRS_H

#include "check.h"

#include <string.h>

enum { NUMBERS = 2048 }; // in a block of 8 KB

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

// The address of a block is its offset. A program on the chip gets it only if its cores can access it: on the DDR's I/O node.
static void check_address(mppa_async_segment_t *ddr, off64_t block, int k, int seed) {
    int expected[NUMBERS], *numbers = NULL;
    const int can_load = sizeof(long) != 4 || __k1_get_cluster_id() == (k ? 192 : 128);
    CHECK(mppa_async_address(ddr, block, &numbers) == (can_load ? 0 : -1));
    if (!can_load) return;
    CHECK((off64_t)(intptr_t)numbers == block || sizeof(long) == 4);
    fill(expected, seed);
    CHECK(memcmp(numbers, expected, sizeof expected) == 0);
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
        check_address(ddrs[k], blocks[k], k, 1000 * round + 10 * me + k);
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
    for (int k = 0; k < 2; k++) {
        CHECK(mppa_async_free(ddrs[k], blocks[k], NULL) == 0);
        CHECK(mppa_async_free(ddrs[k], words[k], NULL) == 0);
    }
}

#endif
