// SPDX-License-Identifier: BSD-3-Clause
// Random allocations, reallocations and releases, in any order: blocks never overlap, and stand at corresponding places in
// every PE: what the neighbour puts into its block arrives in this PE's block of the same number, whole.
#include "test.h"

#define BLOCKS TEST_SIZE(60, 12)
#define STEPS 1500
#define LARGEST TEST_SIZE(200000, 2000)
#define ALIGNMENTS TEST_SIZE(10, 7) // from 16 bytes on

struct block {
    unsigned char *memory;
    size_t bytes;
    uint64_t tag;
};

static struct block blocks[BLOCKS];

static size_t random_size(uint64_t *seed) {
    size_t kind = test_below(seed, 10);
    return 1 + test_below(seed, kind < 6 ? 200 : kind < 9 ? TEST_SIZE(5000, 400) : LARGEST);
}

static void allocate(struct block *block, uint64_t *seed) {
    block->bytes = random_size(seed);
    size_t alignment = (size_t)16 << test_below(seed, ALIGNMENTS);
    switch (test_below(seed, 5)) {
    case 0: block->memory = shmem_align(alignment, block->bytes); break;
    case 1: block->memory = shmem_calloc(1, block->bytes); break;
    case 2: block->memory = shmem_malloc_with_hints(block->bytes, SHMEM_MALLOC_SIGNAL_REMOTE); break;
    default: block->memory = shmem_malloc(block->bytes);
    }
    REQUIRE(block->memory, "no memory for %zu bytes", block->bytes);
}

// The neighbour's copy of this block is filled; ours is filled by the other neighbour.
static void fill(struct block *block, uint64_t *seed) {
    static unsigned char content[LARGEST + 1];
    block->tag = test_random(seed) % 1000;
    test_fill(content, block->bytes, block->tag + (uint64_t)me);
    shmem_putmem(block->memory, content, block->bytes, right_of(me));
}

static void require_filled(const struct block *block, size_t bytes, const char *when) {
    size_t wrong = test_first_wrong(block->memory, bytes, block->tag + (uint64_t)left_of(me));
    REQUIRE(wrong == bytes, "%s: byte %zu of a block of %zu is wrong", when, wrong, block->bytes);
}

static void change(struct block *block, uint64_t *seed) {
    size_t bytes = random_size(seed), kept = bytes < block->bytes ? bytes : block->bytes;
    block->memory = shmem_realloc(block->memory, bytes);
    REQUIRE(block->memory, "shmem_realloc to %zu bytes gave no memory", bytes);
    block->bytes = bytes;
    require_filled(block, kept, "after shmem_realloc");
    shmem_barrier_all();
    fill(block, seed);
}

int main(void) {
    test_begin();
    uint64_t seed = 99; // the same in every PE
    int steps = test_rounds(STEPS);
    for (int step = 0; step < steps; step++) {
        struct block *block = &blocks[test_below(&seed, BLOCKS)];
        if (!block->memory) {
            allocate(block, &seed);
            fill(block, &seed);
        } else if (test_below(&seed, 3) == 0) {
            shmem_barrier_all();
            change(block, &seed);
        } else {
            shmem_barrier_all();
            require_filled(block, block->bytes, "before shmem_free");
            shmem_free(block->memory);
            block->memory = NULL;
        }
        if (step % 20 == 0) {
            shmem_barrier_all();
            for (int i = 0; i < BLOCKS; i++)
                if (blocks[i].memory) require_filled(&blocks[i], blocks[i].bytes, "later");
        }
    }
    return test_end();
}
