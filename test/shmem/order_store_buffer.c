// SPDX-License-Identifier: BSD-3-Clause
// Two PEs each put, quiet, then get what the other put: at least one of them sees the other's. (A store that still sits in
// its processor's buffer when the load is served would show neither.) For p, put, put_nbi and atomic writes.
// pes: 2 4
// ways: 4:2:remote
#include "test.h"

#define ROUNDS TEST_SIZE(40000, 250)
#define REPEATS TEST_SIZE(1, 4)
#define KINDS 5
#define STRIDE 8 // words: one round, one line

static uint64_t *mine;  // written by the other
static uint8_t *saw;    // what this PE's get gave
static uint8_t *theirs; // the other's results

static void write_word(int kind, size_t round, int to) {
    uint64_t one = 1;
    uint64_t *word = &mine[round * STRIDE];
    switch (kind) {
    case 0: shmem_uint64_p(word, 1, to); break;
    case 1: shmem_uint64_put(word, &one, 1, to); break;
    case 2: shmem_uint64_put_nbi(word, &one, 1, to); break;
    case 3: shmem_uint64_atomic_set(word, 1, to); break;
    default: shmem_signal_set(word, 1, to);
    }
}

// Rounds use words of their own and need no synchronisation between them: the two run side by side.
static void play(int kind, int partner) {
    for (size_t i = 0; i < ROUNDS; i++) {
        // Both words of the round: mine at the partner is what I write, the partner's at me is what it writes. Each reads
        // the word that the other writes.
        write_word(kind, i, partner);
        shmem_quiet();
        saw[i] = (uint8_t)shmem_uint64_g(&mine[i * STRIDE], me);
    }
}

int main(void) {
    test_begin();
    mine = test_malloc(ROUNDS * STRIDE * sizeof *mine);
    saw = test_malloc(ROUNDS);
    theirs = malloc(ROUNDS);
    REQUIRE(theirs, "no memory");
    int partner = me ^ 1;
    for (int turn = 0; turn < KINDS * REPEATS; turn++) {
        int kind = turn % KINDS;
        memset(mine, 0, ROUNDS * STRIDE * sizeof *mine);
        shmem_barrier_all();
        play(kind, partner);
        shmem_barrier_all();
        shmem_getmem(theirs, saw, ROUNDS, partner);
        for (size_t i = 0; i < ROUNDS; i++)
            REQUIRE(saw[i] || theirs[i], "kind %d, round %zu: both put and quieted, and neither saw the other's word",
                    kind, i);
        shmem_barrier_all();
    }
    return test_end();
}
