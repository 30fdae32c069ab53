// SPDX-License-Identifier: BSD-3-Clause
// Allocators: the predefined ones, traits (alignment, pool size, fallbacks), and the routines that allocate, clear, move and free.
// threads: 1 4
#include "test.h"

static const omp_allocator_handle_t predefined[] = {
    omp_default_mem_alloc, omp_large_cap_mem_alloc, omp_const_mem_alloc, omp_high_bw_mem_alloc,
    omp_low_lat_mem_alloc, omp_cgroup_mem_alloc,    omp_pteam_mem_alloc, omp_thread_mem_alloc,
};

static void use(void *memory, size_t bytes, size_t alignment, const char *what) {
    REQUIRE(memory, "%s: no memory", what);
    REQUIRE((uintptr_t)memory % alignment == 0, "%s: %p is not aligned to %zu", what, memory, alignment);
    memset(memory, 0x5a, bytes);
}

static void require_zero(const unsigned char *memory, size_t bytes, const char *what) {
    for (size_t i = 0; i < bytes; i++) REQUIRE(memory[i] == 0, "%s: byte %zu is %d", what, i, memory[i]);
}

static void every_routine(omp_allocator_handle_t allocator) {
    void *memory = omp_alloc(1000, allocator);
    use(memory, 1000, 8, "alloc");
    omp_free(memory, allocator);
    memory = omp_alloc(10, allocator);
    use(memory, 10, 8, "alloc");
    omp_free(memory, omp_null_allocator); // it knows its own
    for (size_t alignment = 1; alignment <= 4096; alignment *= 4) {
        memory = omp_aligned_alloc(alignment, 4096, allocator);
        use(memory, 4096, alignment, "aligned_alloc");
        omp_free(memory, allocator);
        memory = omp_aligned_calloc(alignment, 64, 64, allocator);
        REQUIRE(memory && (uintptr_t)memory % alignment == 0, "aligned_calloc: %p", memory);
        require_zero(memory, 4096, "aligned_calloc");
        use(memory, 4096, alignment, "aligned_calloc");
        omp_free(memory, allocator);
    }
    memory = omp_calloc(100, 10, allocator);
    REQUIRE(memory, "calloc: no memory");
    require_zero(memory, 1000, "calloc");
    for (int i = 0; i < 1000; i++) ((unsigned char *)memory)[i] = (unsigned char)i;
    memory = omp_realloc(memory, 5000, allocator, allocator);
    REQUIRE(memory, "realloc: no memory");
    for (int i = 0; i < 1000; i++) REQUIRE(((unsigned char *)memory)[i] == (unsigned char)i, "realloc lost byte %d", i);
    memory = omp_realloc(memory, 50, omp_default_mem_alloc, allocator); // to another
    for (int i = 0; i < 50; i++) REQUIRE(((unsigned char *)memory)[i] == (unsigned char)i, "realloc lost byte %d", i);
    REQUIRE(omp_realloc(memory, 0, allocator, omp_null_allocator) == NULL, "realloc to nothing");
    memory = omp_realloc(NULL, 100, allocator, omp_null_allocator);
    use(memory, 100, 8, "realloc of nothing");
    omp_free(memory, allocator);
    omp_free(NULL, allocator);
    volatile size_t huge = SIZE_MAX / 2;
    REQUIRE(omp_calloc(huge, 4, allocator) == NULL, "more than there can be");
    REQUIRE(omp_alloc(0, allocator) == NULL, "alloc of nothing");
}

static void pools(void) {
    omp_alloctrait_t traits[] = {
        {omp_atk_alignment, 128}, {omp_atk_pool_size, 10000}, {omp_atk_fallback, omp_atv_null_fb}};
    omp_allocator_handle_t small = omp_init_allocator(omp_default_mem_space, 3, traits);
    REQUIRE(small != omp_null_allocator, "no allocator");
    every_routine(omp_default_mem_alloc);
    void *first = omp_alloc(6000, small);
    use(first, 6000, 128, "pool");
    REQUIRE(omp_alloc(6000, small) == NULL, "more than the pool has");
    omp_free(first, small);
    first = omp_alloc(6000, small);
    use(first, 6000, 128, "pool, again");
    omp_free(first, small);
    omp_alloctrait_t falling[] = {
        {omp_atk_pool_size, 1000}, {omp_atk_fallback, omp_atv_allocator_fb}, {omp_atk_fb_data, (omp_uintptr_t)small}};
    omp_allocator_handle_t second = omp_init_allocator(omp_default_mem_space, 3, falling);
    void *from_small = omp_alloc(6000, second);
    use(from_small, 6000, 128, "the fallback's");
    REQUIRE(omp_alloc(6000, second) == NULL, "more than the fallback has");
    omp_free(from_small, second);
    omp_alloctrait_t to_default[] = {{omp_atk_pool_size, 1000}, {omp_atk_fallback, omp_atv_default_mem_fb}};
    omp_allocator_handle_t third = omp_init_allocator(omp_large_cap_mem_space, 2, to_default);
    void *from_default = omp_alloc(100000, third);
    use(from_default, 100000, 8, "the default fallback's");
    omp_free(from_default, third);
    omp_destroy_allocator(third);
    omp_destroy_allocator(second);
    omp_destroy_allocator(small);
    omp_destroy_allocator(omp_null_allocator);
    omp_alloctrait_t wrong[] = {{omp_atk_alignment, 3}};
    REQUIRE(omp_init_allocator(omp_default_mem_space, 1, wrong) == omp_null_allocator, "an alignment of 3");
    omp_alloctrait_t others[] = {{omp_atk_sync_hint, omp_atv_contended},
                                 {omp_atk_access, omp_atv_all},
                                 {omp_atk_partition, omp_atv_environment}};
    omp_allocator_handle_t plain = omp_init_allocator(omp_default_mem_space, 3, others);
    REQUIRE(plain != omp_null_allocator, "hints refused");
    every_routine(plain);
    omp_destroy_allocator(plain);
}

static void clauses(void) {
    int own = 3;
    long sum = 0;
#pragma omp parallel private(own) reduction(+ : sum) allocate(omp_default_mem_alloc : own, sum)
    {
        own = omp_get_thread_num();
#pragma omp barrier
        REQUIRE(own == omp_get_thread_num(), "a private one is shared");
        sum += 1;
    }
    REQUIRE(sum == omp_get_max_threads() && own == 3, "sum %ld", sum);
    omp_allocator_handle_t allocator = omp_large_cap_mem_alloc;
    long array[100];
    for (int i = 0; i < 100; i++) array[i] = i;
#pragma omp parallel for firstprivate(array) allocate(allocator : array)
    for (int i = 0; i < 100; i++) REQUIRE(array[i] == i, "element %d is %ld", i, array[i]);
#pragma omp parallel
#pragma omp single
    {
#pragma omp task firstprivate(array) allocate(array)
        REQUIRE(array[99] == 99, "in a task: %ld", array[99]);
    }
}

int main(void) {
    for (size_t i = 0; i < TEST_COUNT(predefined); i++) every_routine(predefined[i]);
    pools();
    clauses();
    REQUIRE(omp_get_default_allocator() == omp_default_mem_alloc, "another default");
    omp_set_default_allocator(omp_large_cap_mem_alloc);
    REQUIRE(omp_get_default_allocator() == omp_large_cap_mem_alloc, "the default did not change");
    every_routine(omp_null_allocator);
#pragma omp parallel
    for (int i = 0; i < 50; i++) every_routine(omp_default_mem_alloc); // at once
    return 0;
}
