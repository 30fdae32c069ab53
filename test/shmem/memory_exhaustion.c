// SPDX-License-Identifier: BSD-3-Clause
// When the heap is full every PE gets NULL, what is allocated stays as it is, and after a release the heap serves again,
// whole. Impossible sizes are refused the same way.
#include "test.h"

#define BLOCK ((size_t)TEST_SIZE(8 << 20, 2000))
#define BLOCKS_MAX TEST_SIZE(4096, 256)

static unsigned char *blocks[BLOCKS_MAX];
static int outcome, largest, smallest;

static void require_agreement(const void *block, const char *what) {
    outcome = block != NULL;
    shmem_int_max_reduce(SHMEM_TEAM_WORLD, &largest, &outcome, 1);
    shmem_int_min_reduce(SHMEM_TEAM_WORLD, &smallest, &outcome, 1);
    REQUIRE(largest == smallest, "%s succeeded in some PEs only", what);
}

static int fill_heap(void) {
    int count = 0;
    while (count < BLOCKS_MAX) {
        unsigned char *block = shmem_malloc(BLOCK);
        require_agreement(block, "shmem_malloc");
        if (!block) break;
        block[0] = block[BLOCK - 1] = (unsigned char)(count + me);
        blocks[count++] = block;
    }
    return count;
}

static void require_blocks(int count) {
    for (int i = 0; i < count; i++)
        REQUIRE(blocks[i][0] == (unsigned char)(i + me) && blocks[i][BLOCK - 1] == (unsigned char)(i + me),
                "block %d of %d was changed", i, count);
}

int main(void) {
    test_begin();
    int count = fill_heap();
    REQUIRE(count > 0 && count < BLOCKS_MAX, "%d blocks", count);
    void *larger = shmem_realloc(blocks[0], 3 * BLOCK);
    require_agreement(larger, "shmem_realloc");
    REQUIRE(!larger, "shmem_realloc found room in a full heap");
    REQUIRE(!shmem_calloc(BLOCK, 1) && !shmem_align(64, BLOCK) &&
                !shmem_malloc_with_hints(BLOCK, SHMEM_MALLOC_ATOMICS_REMOTE),
            "a full heap gave a block");
    REQUIRE(!shmem_malloc(SIZE_MAX) && !shmem_malloc(SIZE_MAX / 2) && !shmem_align(4096, SIZE_MAX - 100) &&
                !shmem_realloc(blocks[0], SIZE_MAX - 7),
            "a block larger than memory");
    require_blocks(count);
    shmem_free(blocks[count / 2]);
    blocks[count / 2] = test_malloc(BLOCK);
    blocks[count / 2][0] = blocks[count / 2][BLOCK - 1] = (unsigned char)(count / 2 + me);
    require_blocks(count);
    for (int i = 0; i < count; i += 2) shmem_free(blocks[i]);
    for (int i = 1; i < count; i += 2) shmem_free(blocks[i]);
    unsigned char *whole = shmem_malloc((size_t)count * BLOCK);
    REQUIRE(whole, "after all is freed a block of all that was had is refused: the heap stayed in pieces");
    whole[(size_t)count * BLOCK - 1] = 1;
    shmem_free(whole);
    return test_end();
}
