// SPDX-License-Identifier: BSD-3-Clause
// Data then signal, over and over, in sizes that take different copies (the largest pass the caches by): the one that sees
// the signal sees the whole block, also at its ends and also while the next block is on its way.
// pes: 2 3 4 8 16
// ways: 4:2:remote 64:4:tcp
#include "test.h"

#define BLOCK_MAX ((size_t)TEST_SIZE(16 << 20, 4096))

static const size_t sizes[] = {8, 40, 64, 200, 1000, 4096, 20000, 100000, 700000, 4000000, BLOCK_MAX};

static uint64_t arrived, answered;
static uint64_t *inbox[2], *outbox;

static void require_block(const uint64_t *block, size_t words, uint64_t value) {
    for (size_t i = words; i-- > 0;) // what was written last is the likeliest to be late
        REQUIRE(block[i] == value + i, "signal %llu came before word %zu of %zu (it is %llu)",
                (unsigned long long)value, i, words, (unsigned long long)block[i]);
}

// Even PEs send to the odd one behind them.
static void play(size_t bytes, int rounds) {
    size_t words = bytes / sizeof(uint64_t);
    static uint64_t round;
    for (int i = 0; i < rounds; i++) {
        round++;
        uint64_t value = round << 32;
        uint64_t *dest = inbox[round & 1];
        if (me % 2 == 0 && me + 1 < pes) {
            for (size_t k = 0; k < words; k++) outbox[k] = value + k;
            if (round % 3) shmem_putmem_signal_nbi(dest, outbox, bytes, &arrived, round, SHMEM_SIGNAL_SET, me + 1);
            else shmem_putmem_signal(dest, outbox, bytes, &arrived, round, SHMEM_SIGNAL_SET, me + 1);
            shmem_quiet(); // the outbox changes next
            if (round > 1) shmem_signal_wait_until(&answered, SHMEM_CMP_GE, round - 1);
        } else if (me % 2) {
            shmem_signal_wait_until(&arrived, SHMEM_CMP_GE, round);
            require_block(dest, words, value);
            shmem_signal_set(&answered, round, me - 1);
        }
    }
}

int main(void) {
    test_begin();
    inbox[0] = test_malloc(BLOCK_MAX);
    inbox[1] = test_malloc(BLOCK_MAX);
    outbox = test_malloc(BLOCK_MAX);
    for (size_t i = 0; i < TEST_COUNT(sizes); i++) {
        size_t rounds = 12000000 / TEST_SLOWER_BY / (sizes[i] + 20000) / (size_t)pes;
        if (sizes[i] > BLOCK_MAX || sizes[i] > (pes > 4 ? 500000 : pes > 2 ? 5000000 : BLOCK_MAX)) break;
        play(sizes[i], rounds < 3 ? 3 : (int)rounds);
    }
    return test_end();
}
