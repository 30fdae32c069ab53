// SPDX-License-Identifier: BSD-3-Clause
// Memory that no PE owns: blocks of all PEs lie apart, are seen by all under the same address, serve as the local side of put
// and get, and can be freed by another PE.
// nodes: 1
#include "test.h"

#include <shmemx.h>

#define BLOCK_WORDS 64

static long *blocks[64]; // of every PE, on PE 0
static long symmetric[BLOCK_WORDS];

static void check_block(const long *block, int owner) {
    for (long i = 0; i < BLOCK_WORDS; i++)
        REQUIRE(block[i] == owner * 1000 + i, "word %ld of PE %d's block is %ld", i, owner, block[i]);
}

int main(void) {
    test_begin();
    long *mine = shmemx_shared_malloc(BLOCK_WORDS * sizeof(long));
    REQUIRE(mine, "no shared memory");
    REQUIRE(!shmem_addr_accessible(mine, me), "shared memory is called symmetric");
    for (long i = 0; i < BLOCK_WORDS; i++) mine[i] = me * 1000 + i;
    shmem_putmem(&blocks[me], &mine, sizeof mine, 0);
    shmem_barrier_all();

    for (int pe = 0; pe < pes; pe++) {
        long *block;
        shmem_getmem(&block, &blocks[pe], sizeof block, 0);
        REQUIRE(pe == me || block < mine - BLOCK_WORDS + 1 || block > mine + BLOCK_WORDS - 1, "blocks overlap");
        check_block(block, pe);
    }
    shmem_barrier_all();

    shmem_long_put(symmetric, mine, BLOCK_WORDS, right_of(me)); // from there to a neighbour, and back
    shmem_barrier_all();
    check_block(symmetric, left_of(me));
    shmem_long_get(mine, symmetric, BLOCK_WORDS, right_of(me));
    check_block(mine, me);
    shmem_long_get_nbi(mine, symmetric, BLOCK_WORDS, me);
    shmem_quiet();
    check_block(mine, left_of(me));
    shmem_barrier_all();

    long *of_left;
    shmem_getmem(&of_left, &blocks[left_of(me)], sizeof of_left, 0);
    shmemx_shared_free(of_left);
    shmemx_shared_free(NULL);
    shmem_barrier_all();
    mine = shmemx_shared_malloc(100000);
    REQUIRE(mine, "freed memory is not found again");
    shmemx_shared_free(mine);
    REQUIRE(!shmemx_shared_malloc(SIZE_MAX / 2), "more than there can be was given");
    return test_end();
}
