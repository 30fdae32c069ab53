// SPDX-License-Identifier: BSD-3-Clause
// A large put, then a flag: the receiver of the flag sees all of the data, while all PEs do this at the same time and put
// small data and count at the same PEs. The flag is a p, an atomic or a signal behind a fence, or the signal of the put.
// pes: 2 4 8 16
// ways: 2:2:tcp 4:2:remote 4:2:emulated 8:2:remote
#include "test.h"

#define WORDS_MAX ((size_t)TEST_SIZE(1 << 17, 500)) // 1 MB, or two blocks in a core
#define SMALL 20

static uint64_t *inbox, *outbox;
static uint64_t flag, answer;
static long smalls[SMALL], count;

// Small operations on other PEs between the large ones.
static void load(uint64_t *seed, int to) {
    const size_t operations = test_below(seed, SMALL);
    for (size_t i = 0; i < operations; i++) shmem_long_p(&smalls[i], (long)i, to);
    if (operations % 3 == 0) shmem_long_atomic_add(&count, 1, right_of(to));
    if (operations % 5 == 0) (void)shmem_long_atomic_fetch_add(&count, 1, to);
}

static void send(uint64_t *seed, uint64_t round, size_t words, int to) {
    const size_t way = test_below(seed, 5);
    for (size_t i = 0; i < words; i++) outbox[i] = round << 32 | i;
    load(seed, to);
    if (way == 0) {
        shmem_uint64_put_signal(inbox, outbox, words, &flag, round, SHMEM_SIGNAL_SET, to);
        return;
    }
    if (way % 2) shmem_uint64_put(inbox, outbox, words, to);
    else shmem_uint64_put_nbi(inbox, outbox, words, to);
    load(seed, to);
    shmem_fence();
    if (way == 1) shmem_uint64_p(&flag, round, to);
    else if (way == 2) shmem_uint64_atomic_set(&flag, round, to);
    else if (way == 3) shmem_signal_set(&flag, round, to);
    else shmem_uint64_atomic_inc(&flag, to);
}

int main(void) {
    test_begin();
    inbox = test_malloc(WORDS_MAX * sizeof *inbox);
    outbox = calloc(WORDS_MAX, sizeof *outbox);
    REQUIRE(outbox, "no memory");
    const int to = (me + pes / 2) % pes, from = (me + pes - pes / 2) % pes;
    uint64_t seed = 77 + (uint64_t)me, sizes = 7; // all PEs choose the same sizes
    shmem_barrier_all();
    const uint64_t rounds = TEST_SIZE(60, 10);
    for (uint64_t round = 1; round <= rounds; round++) {
        const size_t words = 1 + test_below(&sizes, (size_t)1 << (4 + test_below(&sizes, 14))) % WORDS_MAX;
        send(&seed, round, words, to);
        shmem_uint64_wait_until(&flag, SHMEM_CMP_GE, round);
        for (size_t i = words; i-- > 0;)
            REQUIRE(inbox[i] == (round << 32 | i), "round %d: the flag of PE %d came before word %zu of %zu",
                    (int)round, from, i, words);
        shmem_uint64_p(&answer, round, from);
        shmem_quiet(); // the outbox changes
        shmem_uint64_wait_until(&answer, SHMEM_CMP_GE, round);
    }
    free(outbox);
    return test_end();
}
