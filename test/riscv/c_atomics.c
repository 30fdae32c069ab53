// SPDX-License-Identifier: BSD-3-Clause
// C's atomic operations of 1, 2, 4 and 8 bytes, for which the compiler uses instructions or calls functions, on words of
// another PE and of external memory. All PEs change the same words at the same time, and no change is lost. Those of 8
// bytes are atomic with respect to OpenSHMEM's, too.
#include "../shmem/test.h"

#include <stdatomic.h>

#define ROUNDS 20

static struct words {
    _Alignas(8) _Atomic uint8_t bytes[4]; // neighbours, in one word
    _Atomic uint16_t halves[2];
    _Atomic uint32_t word;
    _Atomic uint64_t wide;
    _Atomic uint64_t compared;
} words;

static struct words external __attribute__((section(".external")));

static void change(struct words *there) {
    for (int i = 0; i < ROUNDS; i++) {
        atomic_fetch_add(&there->bytes[me % 4], 1);
        atomic_fetch_sub(&there->halves[me % 2], 3);
        atomic_fetch_add(&there->word, 5);
        atomic_fetch_add(&there->wide, UINT64_C(0x100000001));
        uint64_t seen = atomic_load(&there->compared);
        while (!atomic_compare_exchange_weak(&there->compared, &seen, seen + UINT64_C(0x300000001))) continue;
    }
}

static int count_below(int step, int first) {
    int count = 0;
    for (int pe = first; pe < pes; pe += step) count++;
    return count;
}

static void check(struct words *there, uint64_t more) {
    uint64_t changes = (uint64_t)ROUNDS * (uint64_t)pes;
    for (int i = 0; i < 4; i++)
        REQUIRE(there->bytes[i] == (uint8_t)(ROUNDS * count_below(4, i)), "byte %d: %d", i, there->bytes[i]);
    for (int i = 0; i < 2; i++)
        REQUIRE(there->halves[i] == (uint16_t)(-3 * ROUNDS * count_below(2, i)), "half %d: %d", i, there->halves[i]);
    REQUIRE(there->word == 5 * changes, "word: %lu", (unsigned long)there->word);
    REQUIRE(there->wide == changes * UINT64_C(0x100000001) + more, "8 bytes: %lx", (unsigned long)there->wide);
    REQUIRE(there->compared == changes * UINT64_C(0x300000001), "compared: %lx", (unsigned long)there->compared);
}

int main(void) {
    test_begin();
    shmem_barrier_all();
    change(shmem_ptr(&words, 0));
    shmem_uint64_atomic_add((uint64_t *)&words.wide, 7, 0);
    change(&external);
    shmem_barrier_all();
    if (me == 0) check(&words, 7 * (uint64_t)pes);
    check(&external, 0);
    uint8_t byte = 0;
    REQUIRE(atomic_exchange(&words.bytes[3], 9) == (me == 0 ? (uint8_t)(ROUNDS * count_below(4, 3)) : 0), "exchange");
    REQUIRE(!atomic_compare_exchange_strong(&words.bytes[3], &byte, 1) && byte == 9, "compared with another value");
    REQUIRE(atomic_compare_exchange_strong(&words.bytes[3], &byte, 1) && words.bytes[3] == 1,
            "compared with its value");
    return test_end();
}
