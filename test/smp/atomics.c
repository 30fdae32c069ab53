// SPDX-License-Identifier: BSD-3-Clause
// Atomic operations of 1, 2 and 8 bytes, which this processor has no instructions for: nothing is lost between threads,
// also where others store to the bytes beside them, and no load sees half of a store.
// threads: 1 16
#include "test.h"

#define ROUNDS 500
#define LINE 8

static struct {
    _Alignas(4) uint8_t counter, stored;
    uint16_t wide;
} narrow;
static uint64_t sum, pair;
static uint8_t bytes[4];
static double real;

static void add_and_store(void) {
    for (int i = 0; i < ROUNDS; i++) {
        __atomic_fetch_add(&narrow.counter, 1, __ATOMIC_SEQ_CST);
        *(volatile uint8_t *)&narrow.stored = 77; // a plain store into the same word
        __atomic_fetch_sub(&narrow.wide, 3, __ATOMIC_SEQ_CST);
        __atomic_fetch_add(&sum, UINT64_C(0x100000001), __ATOMIC_SEQ_CST);
#pragma omp atomic
        real += 0.5;
        uint8_t before = __atomic_load_n(&bytes[1], __ATOMIC_SEQ_CST);
        while (!__atomic_compare_exchange_n(&bytes[1], &before, (uint8_t)(before ^ 1), false, __ATOMIC_SEQ_CST,
                                            __ATOMIC_SEQ_CST)) {
        }
    }
}

// The two halves of `pair` are always equal.
static void store_pairs(uint32_t from) {
    for (uint32_t i = 0; i < ROUNDS; i++) {
        const uint64_t half = from + i;
        __atomic_store_n(&pair, half << 32 | half, __ATOMIC_SEQ_CST);
        const uint64_t seen = __atomic_load_n(&pair, __ATOMIC_SEQ_CST);
        REQUIRE(seen >> 32 == (uint32_t)seen, "a torn load: %lx %lx", (long)(seen >> 32), (long)seen);
    }
}

static void each_operation(void) {
    uint16_t word = 0xf0f0;
    REQUIRE(__atomic_fetch_or(&word, 0x0f00, __ATOMIC_RELAXED) == 0xf0f0 && word == 0xfff0, "or: %x", word);
    REQUIRE(__atomic_fetch_and(&word, 0x0ff0, __ATOMIC_RELAXED) == 0xfff0 && word == 0x0ff0, "and: %x", word);
    REQUIRE(__atomic_fetch_xor(&word, 0xffff, __ATOMIC_RELAXED) == 0x0ff0 && word == 0xf00f, "xor: %x", word);
    REQUIRE(__atomic_fetch_nand(&word, 0xff00, __ATOMIC_RELAXED) == 0xf00f && word == 0x0fff, "nand: %x", word);
    REQUIRE(__atomic_exchange_n(&word, 5, __ATOMIC_RELAXED) == 0x0fff && word == 5, "exchange: %x", word);
    uint64_t wide = 6, expected = 7;
    REQUIRE(!__atomic_compare_exchange_n(&wide, &expected, 8, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED) &&
                expected == 6 && wide == 6,
            "a comparison that fails");
    REQUIRE(
        __atomic_compare_exchange_n(&wide, &expected, UINT64_C(8) << 40, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED) &&
            wide == UINT64_C(8) << 40,
        "a comparison that succeeds");
    REQUIRE(__atomic_fetch_sub(&wide, 1, __ATOMIC_RELAXED) == UINT64_C(8) << 40 && wide == (UINT64_C(8) << 40) - 1,
            "a difference");
    REQUIRE(__atomic_exchange_n(&wide, 3, __ATOMIC_RELAXED) == (UINT64_C(8) << 40) - 1 && wide == 3, "an exchange");
}

int main(void) {
    each_operation();
    const uint64_t threads = (uint64_t)omp_get_max_threads();
#pragma omp parallel
    {
        add_and_store();
        store_pairs((uint32_t)omp_get_thread_num() << 16);
    }
    const uint64_t all = threads * ROUNDS;
    REQUIRE(narrow.counter == (uint8_t)all && narrow.stored == 77, "bytes: %d, %d", narrow.counter, narrow.stored);
    REQUIRE(narrow.wide == (uint16_t)(0 - 3 * all), "2 bytes: %d", narrow.wide);
    REQUIRE(sum == all * UINT64_C(0x100000001), "8 bytes: %lx %lx", (long)(sum >> 32), (long)sum);
    REQUIRE(real == (double)all / 2, "double");
    REQUIRE(bytes[0] == 0 && bytes[1] == (all & 1) && bytes[2] == 0 && bytes[3] == 0, "a compared byte");
    return 0;
}
