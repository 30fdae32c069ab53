// SPDX-License-Identifier: BSD-3-Clause
// Each memory routine's own promises: alignment, zeros, zero sizes, null pointers, kept content, overflow of a product, and
// the deprecated names.
#include "test.h"

#define GROWS_TO TEST_SIZE(300000u, 5000u)

static bool is_aligned(const void *memory, size_t alignment) {
    return (uintptr_t)memory % alignment == 0;
}

static void try_alignment(void) {
    for (size_t alignment = sizeof(void *); alignment <= TEST_SIZE(65536, 2048); alignment *= 2) {
        void *small = shmem_align(alignment, 1), *large = shmem_align(alignment, 3 * alignment + 5);
        REQUIRE(small && large && is_aligned(small, alignment) && is_aligned(large, alignment), "alignment to %zu",
                alignment);
        REQUIRE(is_aligned(shmem_ptr(small, right_of(me)), alignment), "alignment to %zu at the neighbour", alignment);
        shmem_free(small);
        shmem_free(large);
    }
    for (size_t bytes = 1; bytes < 100; bytes += 3) {
        void *block = test_malloc(bytes), *zeros = shmem_calloc(bytes, 1);
        REQUIRE(is_aligned(block, _Alignof(max_align_t)) && is_aligned(zeros, _Alignof(max_align_t)),
                "%zu bytes are not aligned for every type", bytes);
        shmem_free(block);
        shmem_free(zeros);
    }
}

static void try_zeros(void) {
    for (int round = 0; round < 20; round++) {
        size_t count = 1 + (size_t)round * TEST_SIZE(517, 199);
        unsigned char *dirty = test_malloc(count * 3);
        memset(dirty, 0xFF, count * 3);
        shmem_free(dirty);
        unsigned char *block = shmem_calloc(count, 3);
        REQUIRE(block, "no memory");
        // Zero in every PE before it returns in any: the neighbour's block too.
        unsigned char *other = malloc(count * 3);
        shmem_getmem(other, block, count * 3, right_of(me));
        for (size_t i = 0; i < count * 3; i++)
            REQUIRE(!block[i] && !other[i], "byte %zu of shmem_calloc is not zero", i);
        free(other);
        shmem_barrier_all();
        memset(block, 0xFF, count * 3);
        shmem_free(block);
    }
    REQUIRE(!shmem_calloc(SIZE_MAX / 2, 3), "a product that overflows is no size");
    REQUIRE(!shmem_calloc(3, SIZE_MAX / 2), "a product that overflows is no size");
}

static void try_nothing(void) {
    REQUIRE(!shmem_malloc(0) && !shmem_align(64, 0) && !shmem_calloc(0, 5) && !shmem_calloc(5, 0), "size 0 gives NULL");
    REQUIRE(!shmem_malloc_with_hints(0, SHMEM_MALLOC_ATOMICS_REMOTE) && !shmem_realloc(NULL, 0), "size 0 gives NULL");
    shmem_free(NULL);
    // No action means no barrier: a single PE may do all this.
    if (me == 0) {
        REQUIRE(!shmem_malloc(0) && !shmem_realloc(NULL, 0), "size 0 gives NULL");
        shmem_free(NULL);
    }
    void *block = shmem_realloc(NULL, 100);
    REQUIRE(block, "shmem_realloc of NULL allocates");
    REQUIRE(!shmem_realloc(block, 0), "shmem_realloc to 0 frees");
}

static void try_realloc(void) {
    unsigned char *block = test_malloc(10), *wall = NULL;
    test_fill(block, 10, 1);
    for (size_t bytes = 10; bytes < GROWS_TO; bytes = bytes * 2 + 1) {
        unsigned char *larger = shmem_realloc(block, bytes * 2 + 1);
        REQUIRE(larger && test_first_wrong(larger, bytes, 1) == bytes, "growing from %zu bytes lost content", bytes);
        test_fill(larger, bytes * 2 + 1, 1);
        if (bytes % 5 == 0) wall = test_malloc(1); // so that it cannot always grow in place
        block = larger;
    }
    for (size_t bytes = GROWS_TO; bytes > 1; bytes /= 3) {
        block = shmem_realloc(block, bytes);
        REQUIRE(block && test_first_wrong(block, bytes, 1) == bytes, "shrinking to %zu bytes lost content", bytes);
    }
    shmem_free(block);
    shmem_free(wall);
}

static void try_hints(void) {
    static const long hints[] = {0, SHMEM_MALLOC_ATOMICS_REMOTE, SHMEM_MALLOC_SIGNAL_REMOTE,
                                 SHMEM_MALLOC_ATOMICS_REMOTE | SHMEM_MALLOC_SIGNAL_REMOTE};
    for (size_t i = 0; i < TEST_COUNT(hints); i++) {
        uint64_t *block = shmem_malloc_with_hints(4 * sizeof *block, hints[i]);
        REQUIRE(block, "no memory with hints %ld", hints[i]);
        block[1] = block[2] = 0;
        shmem_barrier_all();
        for (int pe = 0; pe < pes; pe++) shmem_uint64_atomic_inc(&block[1], pe);
        shmem_signal_add(&block[2], 7, right_of(me));
        shmem_barrier_all();
        REQUIRE(block[1] == (uint64_t)pes && block[2] == 7, "atomics in memory with hints %ld", hints[i]);
        block = shmem_realloc(block, 1000);
        REQUIRE(block && block[1] == (uint64_t)pes, "realloc of memory with hints %ld", hints[i]);
        shmem_free(block);
    }
}

static void try_old_names(void) {
    unsigned char *block = shmalloc(100);
    REQUIRE(block, "shmalloc");
    test_fill(block, 100, 3);
    block = shrealloc(block, 5000);
    REQUIRE(block && test_first_wrong(block, 100, 3) == 100, "shrealloc");
    shfree(block);
    block = shmemalign(4096, 10);
    REQUIRE(block && is_aligned(block, 4096), "shmemalign");
    shfree(block);
    REQUIRE(_my_pe() == me && _num_pes() == pes, "_my_pe, _num_pes");
}

int main(void) {
    test_begin();
    try_alignment();
    try_zeros();
    try_nothing();
    try_realloc();
    try_hints();
    try_old_names();
    return test_end();
}
