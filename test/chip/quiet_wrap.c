// SPDX-License-Identifier: BSD-3-Clause
// shmem_quiet passes numbers of 2^31 and 2^32, and numbers far from the last one that a PE has had from here: the last PE writes a block to
// PE 0 while the others flood it, and reads the block's end back. For a machine whose reads may overtake writes: where they may not, the
// read that quiet makes comes back behind the block whatever the numbers are. test/model/quiet.pml has the mistakes that time hides here.
#include "../shmem/test.h"

#define WORDS 96
#define ROUNDS 40

extern struct {
    volatile uint32_t number; // sent last
    uint32_t echo;
} skerry_quiet_words;

static int all[16][WORDS];
static int block[WORDS];
static volatile int stop;
static int value;

static void put_and_look(void) {
    value++;
    for (int i = 0; i < WORDS; i++) block[i] = value;
    int *to = all[me];
    shmem_putmem(to, block, sizeof block, 0);
    shmem_quiet();
    int last = shmem_int_g(&to[WORDS - 1], 0);
    REQUIRE(last == value, "after quiet %lu a word was %d, not %d", (unsigned long)skerry_quiet_words.number, last,
            value);
}

// Two quiets with these numbers, one after the other.
static void across(uint32_t first, uint32_t second) {
    skerry_quiet_words.number = first - 1;
    put_and_look();
    skerry_quiet_words.number = second - 1;
    put_and_look();
}

int main(void) {
    test_begin();
    while (me != 0 && me != pes - 1 && !stop) shmem_putmem(all[me], block, sizeof block, 0);
    for (int round = 0; me != 0 && me == pes - 1 && round < ROUNDS; round++) {
        uint32_t end = round & 1 ? 0 : 0x80000000;
        across(end - 1, end);
        across(7, 0x80000009);
        across(0x80000007, 9);
    }
    for (int pe = 0; me == pes - 1 && pe < pes; pe++) shmem_int_p((int *)&stop, 1, pe);
    shmem_barrier_all();
    return test_end();
}
