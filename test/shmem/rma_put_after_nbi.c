// SPDX-License-Identifier: BSD-3-Clause
// A put returns only when its source may be changed, also while large non-blocking puts are under way.
// ways: 4:2:remote
#include "test.h"

#define BYTES TEST_SIZE(1 << 20, 1 << 10)
#define ROUNDS 20

int main(void) {
    test_begin();
    unsigned char *area = shmem_malloc(2 * BYTES), *early = malloc(BYTES), *late = malloc(BYTES);
    REQUIRE(area && early && late, "no memory");
    memset(early, 1, BYTES);
    for (int round = 0; round < ROUNDS; round++) {
        const uint64_t seed = (uint64_t)(me * ROUNDS + round);
        shmem_putmem_nbi(area, early, BYTES, right_of(me));
        test_fill(late, BYTES, seed);
        shmem_putmem(area + BYTES, late, BYTES, right_of(me));
        memset(late, 0, BYTES); // the put has returned
        shmem_barrier_all();
        const int from = (me + pes - 1) % pes;
        const size_t wrong = test_first_wrong(area + BYTES, BYTES, (uint64_t)(from * ROUNDS + round));
        REQUIRE(wrong == BYTES, "round %d: byte %zu of PE %d's put is wrong", round, wrong, from);
        shmem_barrier_all();
    }
    free(early);
    free(late);
    shmem_free(area);
    return test_end();
}
