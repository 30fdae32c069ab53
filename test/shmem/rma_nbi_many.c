// SPDX-License-Identifier: BSD-3-Clause
// Thousands of non-blocking (on a chip, hundreds) puts and gets in flight to all PEs at once, completed by one quiet.
// ways: 4:2:remote 4:2:emulated
#include "test.h"

#define EACH TEST_SIZE(200, 128 / pes)
#define ELEMENTS 16

static long *inbox;  // pes * EACH blocks, block k of PE p at p * EACH + k
static long *outbox; // what others fetch
static long *fetched;

static long value(int from, int to, int block, int element) {
    return ((from * 1000L + to) * 1000 + block) * 100 + element;
}

static long *block_of(long *base, int pe, int block) {
    return base + ((size_t)pe * EACH + (size_t)block) * ELEMENTS;
}

static void require_block(const long *block, int from, int to, int number, const char *what) {
    for (int e = 0; e < ELEMENTS; e++)
        REQUIRE(block[e] == value(from, to, number, e), "%s: block %d from PE %d, element %d is %ld", what, number,
                from, e, block[e]);
}

int main(void) {
    test_begin();
    size_t bytes = (size_t)pes * EACH * ELEMENTS * sizeof(long);
    inbox = shmem_calloc(1, bytes);
    outbox = test_malloc(bytes);
    fetched = malloc(bytes);
    REQUIRE(inbox && fetched, "no memory");
    for (int pe = 0; pe < pes; pe++)
        for (int k = 0; k < EACH; k++)
            for (int e = 0; e < ELEMENTS; e++) block_of(outbox, pe, k)[e] = value(me, pe, k, e);
    shmem_barrier_all();
    for (int k = 0; k < EACH; k++)
        for (int pe = 0; pe < pes; pe++) {
            shmem_long_put_nbi(block_of(inbox, me, k), block_of(outbox, pe, k), ELEMENTS, pe);
            shmem_long_get_nbi(block_of(fetched, pe, k), block_of(outbox, me, k), ELEMENTS, pe);
        }
    shmem_quiet();
    for (int pe = 0; pe < pes; pe++)
        for (int k = 0; k < EACH; k++) require_block(block_of(fetched, pe, k), pe, me, k, "get_nbi");
    shmem_sync_all(); // the quiet has completed the puts: a sync is enough
    for (int pe = 0; pe < pes; pe++)
        for (int k = 0; k < EACH; k++) require_block(block_of(inbox, pe, k), pe, me, k, "put_nbi");
    shmem_barrier_all();
    return test_end();
}
