// SPDX-License-Identifier: BSD-3-Clause
// The symmetric heap, one behaviour a function. Random sequences are in heap_fuzz.c.
#include "../../src/heap/heap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: %s: not so: %s\n", __FILE__, __LINE__, __func__, #condition);                      \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

#define WORD sizeof(size_t)
#define REGION ((size_t)1 << 18)

static _Alignas(1 << 16) unsigned char region[REGION];
static struct heap heap;

// Starts on garbage, as the heap may not count on cleared memory.
static void fresh(size_t bytes) {
    memset(&heap, 0xa5, sizeof heap);
    memset(region, 0xff, sizeof region);
    CHECK(skerry_heap_init(&heap, region, bytes, 0));
    CHECK(skerry_heap_verify(&heap));
}

static struct heap_statistics statistics(void) {
    struct heap_statistics now;
    CHECK(skerry_heap_verify(&heap));
    skerry_heap_statistics(&heap, &now);
    CHECK(now.used + now.free == now.total);
    return now;
}

static void *allocate(size_t bytes, size_t alignment) {
    void *block = skerry_heap_allocate(&heap, bytes, alignment);
    CHECK(block != NULL);
    CHECK(skerry_heap_block_size(&heap, block) >= bytes);
    CHECK((uintptr_t)block % (alignment == 0 ? 2 * WORD : alignment) == 0);
    CHECK(skerry_heap_check_pointer(&heap, block) == HEAP_FAULT_NONE);
    memset(block, (int)(bytes & 0x7f), bytes);
    return block;
}

static void release(void *block) {
    CHECK(skerry_heap_free(&heap, block) == HEAP_FAULT_NONE);
    CHECK(skerry_heap_verify(&heap));
}

static bool holds(const unsigned char *block, int byte, size_t bytes) {
    for (size_t i = 0; i < bytes; i++)
        if (block[i] != byte) return false;
    return true;
}

// As simple as heap_copy allows: right for overlapping ranges only when it moves down.
static void copy(void *to, const void *from, size_t bytes) {
    unsigned char *target = to;
    const unsigned char *source = from;
    CHECK(target < source || target >= source + bytes);
    for (size_t i = 0; i < bytes; i++) target[i] = source[i];
}

static void init_refuses_what_cannot_be_a_heap(void) {
    CHECK(!skerry_heap_init(&heap, NULL, REGION, 0));
    for (size_t bytes = 0; bytes < 5 * WORD; bytes++) CHECK(!skerry_heap_init(&heap, region, bytes, 0));
    CHECK(!skerry_heap_init(&heap, region + 1, REGION - 1, 0));
    CHECK(!skerry_heap_init(&heap, region, REGION, 1));
    CHECK(!skerry_heap_init(&heap, region + WORD, REGION - WORD, 0));
#if SIZE_MAX > UINT32_MAX
    CHECK(!skerry_heap_init(&heap, region, SIZE_MAX, 0));
    CHECK(!skerry_heap_init(&heap, region, ((size_t)1 << HEAP_BYTES_LOG2) + 1, 0));
#endif
}

static void tiny_heaps_work(void) {
    for (size_t bytes = 6 * WORD; bytes < 700; bytes++) {
        fresh(bytes);
        struct heap_statistics empty = statistics();
        CHECK(empty.total > bytes - 4 * WORD && empty.largest == empty.total - WORD);
        release(allocate(empty.largest, 0));
        CHECK(skerry_heap_allocate(&heap, empty.largest + 1, 0) == NULL);
        while (skerry_heap_allocate(&heap, 1, 0) != NULL) CHECK(skerry_heap_verify(&heap));
        CHECK(statistics().used == statistics().total);
        CHECK(holds(region + bytes, 0xff, 64));
    }
}

static void requests_that_make_no_sense_get_null(void) {
    fresh(REGION);
    struct heap_statistics before = statistics();
    CHECK(skerry_heap_allocate(&heap, 0, 0) == NULL);
    CHECK(skerry_heap_allocate(&heap, 8, 3) == NULL);
    CHECK(skerry_heap_allocate(&heap, 8, 48) == NULL);
    CHECK(skerry_heap_allocate(&heap, 8, SIZE_MAX) == NULL);
    CHECK(skerry_heap_allocate(&heap, 8, SIZE_MAX / 2 + 1) == NULL);
    for (size_t less = 0; less < 200; less++) {
        CHECK(skerry_heap_allocate(&heap, SIZE_MAX - less, 0) == NULL);
        CHECK(skerry_heap_allocate(&heap, SIZE_MAX - less, SIZE_MAX / 2 + 1) == NULL);
        CHECK(skerry_heap_allocate(&heap, SIZE_MAX / 2 - less, 4096) == NULL);
    }
    CHECK(skerry_heap_free(&heap, NULL) == HEAP_FAULT_NONE);
    void *block = allocate(100, 0);
    CHECK(skerry_heap_resize(&heap, block, SIZE_MAX, copy) == NULL);
    CHECK(skerry_heap_resize(&heap, block, SIZE_MAX - 40, copy) == NULL);
    CHECK(holds(block, 100, 100));
    CHECK(skerry_heap_resize(&heap, block, 0, copy) == NULL);
    CHECK(statistics().used == 0 && statistics().largest == before.largest);
}

static void blocks_are_aligned(void) {
    fresh(REGION);
    for (size_t alignment = 1; alignment <= 1 << 16; alignment *= 2)
        for (size_t bytes = 1; bytes < 3000; bytes = bytes * 3 + 1) {
            void *first = allocate(bytes, alignment);
            void *second = allocate(bytes, 0);
            CHECK(bytes < HEAP_LINE_FROM || (uintptr_t)second % HEAP_LINE == 0);
            release(first);
            release(second);
        }
    CHECK(statistics().free_blocks == 1 && statistics().live_blocks == 0);
}

static void large_blocks_follow_each_other_on_lines(void) {
    fresh(REGION);
    allocate(24, 0);
    size_t free_blocks = 0;
    for (size_t i = 0; i < 20; i++) {
        CHECK((uintptr_t)allocate(HEAP_LINE_FROM + i * 13, 0) % HEAP_LINE == 0);
        if (i == 0) free_blocks = statistics().free_blocks;
    }
    CHECK(statistics().free_blocks == free_blocks);
}

// The line is a courtesy: the last place is given out even where it is not on one.
static void a_line_is_not_worth_a_failure(void) {
    fresh(REGION);
    allocate(24, 0);
    size_t largest = statistics().largest;
    allocate(largest, 0);
    CHECK(statistics().free == 0);
}

static void alignment_counts_from_the_phase(void) {
    size_t phase = 3 << 12;
    CHECK(skerry_heap_init(&heap, region + phase, REGION - phase, phase));
    for (size_t alignment = 16; alignment <= 1 << 16; alignment *= 2) allocate(40, alignment);
    // From a base that is off, the offsets are those of a base that is right.
    static struct heap other;
    CHECK(skerry_heap_init(&other, region + 4096, REGION - phase, phase));
    unsigned char *block = skerry_heap_allocate(&other, 40, 1 << 14);
    CHECK(block != NULL && ((size_t)(block - (region + 4096)) + phase) % (1 << 14) == 0);
}

static void exhaustion_leaves_all_intact_and_merges_back(void) {
    static unsigned char *blocks[REGION / 64];
    const size_t strides[] = {1, 2, 3, 7, 64};
    for (size_t order = 0; order < sizeof strides / sizeof *strides; order++) {
        fresh(REGION);
        size_t largest = statistics().largest;
        size_t count = 0;
        while ((blocks[count] = skerry_heap_allocate(&heap, 100, 0)) != NULL) {
            memset(blocks[count], (int)(count & 0xff), 100);
            count++;
        }
        CHECK(count > REGION / 150);
        for (int again = 0; again < 100; again++) CHECK(skerry_heap_allocate(&heap, 100, 64) == NULL);
        CHECK(skerry_heap_resize(&heap, blocks[0], 5000, copy) == NULL);
        CHECK(statistics().live_blocks == count);
        for (size_t start = 0; start < strides[order]; start++)
            for (size_t i = start; i < count; i += strides[order]) {
                CHECK(holds(blocks[i], (int)(i & 0xff), 100));
                CHECK(skerry_heap_free(&heap, blocks[i]) == HEAP_FAULT_NONE);
            }
        struct heap_statistics end = statistics();
        CHECK(end.free_blocks == 1 && end.largest == largest && end.used == 0 && end.peak > REGION / 2);
    }
}

// A class holds different sizes; a free block of exactly the size asked for must be found among smaller ones of its class.
static void what_fits_is_found(void) {
    fresh(REGION);
    void *smaller[40];
    void *exact = allocate(3000, 0);
    allocate(HEAP_LINE_FROM, 0); // keeps the neighbours from merging
    for (size_t i = 0; i < 40; i++) {
        smaller[i] = allocate(2900, 0);
        allocate(HEAP_LINE_FROM, 0); // keeps the neighbours from merging
    }
    void *rest = allocate(statistics().largest, 0);
    release(exact);
    for (size_t i = 0; i < 40; i++) release(smaller[i]);
    CHECK(allocate(3000, 0) <= exact); // there, or before it where the line was
    CHECK(skerry_heap_allocate(&heap, 3000, 0) == NULL);
    release(rest);
}

static void resize_takes_the_nearest_room(void) {
    fresh(REGION);
    unsigned char *before = allocate(1000, 0);
    unsigned char *block = allocate(1000, 0);
    unsigned char *after = allocate(1000, 0);
    unsigned char *last = allocate(1000, 0);
    release(after);
    memset(block, 9, 1000);
    CHECK(skerry_heap_resize(&heap, block, 1900, copy) == block && holds(block, 9, 1000)); // into what follows
    CHECK(skerry_heap_resize(&heap, block, 300, copy) == block && holds(block, 9, 300));   // back
    CHECK(skerry_heap_resize(&heap, block, 1000, copy) == block);
    memset(block, 9, 1000);
    release(before);
    CHECK(skerry_heap_resize(&heap, block, 2800, copy) == before && holds(before, 9, 1000)); // into both
    memset(before, 8, 2800);
    unsigned char *moved = skerry_heap_resize(&heap, before, 20000, copy); // nowhere near
    CHECK(moved > last && holds(moved, 8, 2800));
    CHECK(skerry_heap_check_pointer(&heap, before) == HEAP_FAULT_FREE);
    before = skerry_heap_resize(&heap, NULL, 10, copy);
    release(before);
    release(moved);
    release(last);
    CHECK(statistics().free_blocks == 1 && statistics().live_blocks == 0);
}

static void resize_in_place_keeps_alignment(void) {
    fresh(REGION);
    unsigned char *block = allocate(100, 1 << 13);
    CHECK(skerry_heap_resize(&heap, block, 20000, copy) == block);
    CHECK(skerry_heap_resize(&heap, block, 10, copy) == block);
    CHECK(skerry_heap_resize(&heap, block, REGION, copy) == NULL);
    CHECK(skerry_heap_check_pointer(&heap, block) == HEAP_FAULT_NONE);
}

// The line that the new place would start on may lie past the old one; sliding there would be no slide down.
static void resize_does_not_slide_up(void) {
    for (size_t before = 4 * WORD; before < 2 * HEAP_LINE + 4 * WORD; before += 2 * WORD)
        for (size_t shift = 0; shift < 2 * HEAP_LINE; shift += 2 * WORD) {
            fresh(1 << 14);
            allocate(4 * WORD + shift - WORD, 0);
            void *hole = allocate(before - WORD, 0);
            unsigned char *block = allocate(500, 0);
            void *after = allocate(HEAP_LINE_FROM, 16);
            allocate(statistics().largest, 0);
            size_t room =
                (size_t)((unsigned char *)after - block) + skerry_heap_block_size(&heap, after); // without sliding
            release(hole);
            release(after);
            memset(block, 3, 500);
            unsigned char *slid = skerry_heap_resize(&heap, block, room + WORD, copy);
            CHECK(slid == NULL || (slid < block && holds(slid, 3, 500)));
            CHECK(skerry_heap_verify(&heap));
        }
}

// Slides by less than the block's length, so that the copy overlaps and the old header lies in the new content.
static void resize_slides_over_itself(void) {
    for (size_t step = 2 * WORD; step < 2000; step += 2 * WORD) {
        fresh(1 << 14);
        void *before = allocate(step, 0);
        unsigned char *block = allocate(4000, 0);
        allocate(statistics().largest, 0);
        for (size_t i = 0; i < 4000; i++) block[i] = (unsigned char)(i * 7 + (i >> 8));
        release(before);
        unsigned char *slid = skerry_heap_resize(&heap, block, skerry_heap_block_size(&heap, block) + WORD, copy);
        CHECK(slid != NULL && slid < block && skerry_heap_verify(&heap));
        for (size_t i = 0; i < 4000; i++) CHECK(slid[i] == (unsigned char)(i * 7 + (i >> 8)));
        CHECK(skerry_heap_check_pointer(&heap, block) == HEAP_FAULT_INSIDE);
    }
}

static void bad_pointers_are_told_apart(void) {
    fresh(REGION);
    unsigned char *a = allocate(100, 0), *b = allocate(200, 0), *c = allocate(300, 0), *d = allocate(400, 0);
    int elsewhere;
    CHECK(skerry_heap_free(&heap, &elsewhere) == HEAP_FAULT_OUTSIDE);
    CHECK(skerry_heap_free(&heap, region) == HEAP_FAULT_OUTSIDE);
    CHECK(skerry_heap_free(&heap, region + REGION) == HEAP_FAULT_OUTSIDE);
    CHECK(skerry_heap_free(&heap, (void *)UINTPTR_MAX) == HEAP_FAULT_OUTSIDE);
    CHECK(skerry_heap_free(&heap, a + 1) == HEAP_FAULT_INSIDE);
    CHECK(skerry_heap_free(&heap, a + 16) == HEAP_FAULT_INSIDE);
    CHECK(skerry_heap_free(&heap, d + 399) == HEAP_FAULT_INSIDE);
    CHECK(skerry_heap_resize(&heap, a + 16, 10, copy) == NULL && skerry_heap_block_size(&heap, a + 16) == 0);
    release(b);
    CHECK(skerry_heap_free(&heap, b) == HEAP_FAULT_FREE);
    CHECK(skerry_heap_free(&heap, b + 16) == HEAP_FAULT_FREE);
    release(c); // merges, so that c's header is gone
    CHECK(holds(c - WORD, 0, WORD));
    CHECK(skerry_heap_free(&heap, c) == HEAP_FAULT_FREE && skerry_heap_free(&heap, b) == HEAP_FAULT_FREE);
    unsigned char *e = skerry_heap_allocate(&heap, 450, 0); // covers both, content as it was left
    CHECK(e == b);
    CHECK(skerry_heap_free(&heap, c) == HEAP_FAULT_INSIDE);
    CHECK(skerry_heap_free(&heap, region + REGION - 100) == HEAP_FAULT_FREE);
    size_t bytes;
    CHECK(skerry_heap_block_containing(&heap, e + 449, &bytes) == e && bytes == skerry_heap_block_size(&heap, e));
    CHECK(skerry_heap_block_containing(&heap, region + REGION - 100, &bytes) == NULL);
    CHECK(skerry_heap_block_containing(&heap, &elsewhere, &bytes) == NULL);
    CHECK(statistics().live_blocks == 3);
}

// A program that stores copies of real headers in its own memory still cannot free from there.
static void copied_headers_do_not_pass(void) {
    fresh(REGION);
    unsigned char *small = allocate(8 * WORD - WORD, 0);
    unsigned char *block = allocate(4096, 0);
    for (size_t i = 0; i + WORD <= 4096; i += WORD) memcpy(block + i, small - WORD, WORD);
    for (size_t i = 1; i < 4096; i++) CHECK(skerry_heap_check_pointer(&heap, block + i) == HEAP_FAULT_INSIDE);
}

static void overruns_are_noticed(void) {
    fresh(REGION);
    unsigned char *a = allocate(100, 0), *b = allocate(100, 0), *c = allocate(100, 0);
    size_t header;
    unsigned char *edge = a + skerry_heap_block_size(&heap, a);
    memcpy(&header, edge, WORD);
    memset(edge, 0xee, WORD);
    CHECK(!skerry_heap_verify(&heap));
    CHECK(skerry_heap_free(&heap, a) == HEAP_FAULT_CORRUPT && skerry_heap_free(&heap, b) == HEAP_FAULT_CORRUPT);
    memcpy(edge, &header, WORD);
    CHECK(skerry_heap_verify(&heap));
    release(b);
    memset(a, 0, skerry_heap_block_size(&heap, a) + WORD); // a free block's header
    CHECK(!skerry_heap_verify(&heap) && skerry_heap_free(&heap, a) == HEAP_FAULT_CORRUPT);
    CHECK(skerry_heap_check_pointer(&heap, c) == HEAP_FAULT_CORRUPT);
}

static void damage_is_found(void) {
    fresh(REGION);
    unsigned char *a = allocate(100, 0), *b = allocate(100, 0), *c = allocate(100, 0);
    struct heap_damage damage;
    size_t bytes;
    CHECK(!skerry_heap_find_damage(&heap, &damage));
    CHECK(skerry_heap_next_block(&heap, NULL, &bytes) == a && bytes == skerry_heap_block_size(&heap, a));
    release(b);
    CHECK(skerry_heap_next_block(&heap, a, &bytes) == c && skerry_heap_next_block(&heap, c, &bytes) == NULL);
    if (!HEAP_SEALED) return;
    unsigned char kept = *(b - WORD);
    *(b - WORD) ^= 0x10; // past a's end
    CHECK(skerry_heap_find_damage(&heap, &damage) && damage.before == a && damage.at == b);
    CHECK(damage.bytes >= 100 && damage.bytes < 100 + HEAP_UNIT);
    CHECK(skerry_heap_allocate(&heap, 100, 0) == NULL);
    *(b - WORD) = kept;
    kept = *b;
    *b ^= 0x40; // a link
    CHECK(skerry_heap_find_damage(&heap, &damage) && damage.before == NULL && damage.at == b);
    CHECK(skerry_heap_allocate(&heap, 100, 0) == NULL);
    CHECK(skerry_heap_free(&heap, a) == HEAP_FAULT_CORRUPT);
    *b = kept;
    CHECK(!skerry_heap_find_damage(&heap, &damage) && skerry_heap_allocate(&heap, 100, 0) == b);
}

static void peak_and_largest_are_reported(void) {
    fresh(REGION);
    void *a = allocate(10000, 0), *b = allocate(20000, 0);
    size_t peak = statistics().used;
    CHECK(statistics().peak == peak && peak >= 30000 && peak < 30200);
    release(a);
    CHECK(statistics().peak == peak && statistics().used < 20100 && statistics().live_blocks == 1);
    CHECK(skerry_heap_allocate(&heap, statistics().largest + 1, 0) == NULL);
    CHECK(skerry_heap_allocate(&heap, statistics().largest, 0) != NULL);
    release(b);
}

static size_t resident_pages(void *base, size_t bytes) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t chunk = (size_t)1 << 30, count = 0;
    unsigned char *vector = malloc(chunk / page);
    for (size_t at = 0; at < bytes; at += chunk) {
        CHECK(vector != NULL && mincore((char *)base + at, chunk, vector) == 0);
        for (size_t i = 0; i < chunk / page; i++) count += vector[i] & 1;
    }
    free(vector);
    return count;
}

static void *map(size_t bytes) {
    void *mapping = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping != MAP_FAILED) (void)madvise(mapping, bytes, MADV_NOHUGEPAGE);
    return mapping;
}

static void pages_cost_nothing_until_touched(void) {
    const size_t bytes = (size_t)1 << 30;
    void *mapping = map(bytes);
    CHECK(mapping != MAP_FAILED);
    CHECK(skerry_heap_init(&heap, mapping, bytes, 0));
    CHECK(resident_pages(mapping, bytes) == 2);
    void *block = skerry_heap_allocate(&heap, bytes / 4, 0);
    CHECK(block != NULL && resident_pages(mapping, bytes) <= 4);
    CHECK(skerry_heap_resize(&heap, block, bytes / 2, copy) == block && resident_pages(mapping, bytes) <= 6);
    CHECK(skerry_heap_resize(&heap, block, bytes / 4, copy) == block && resident_pages(mapping, bytes) <= 6);
    CHECK(skerry_heap_free(&heap, block) == HEAP_FAULT_NONE && resident_pages(mapping, bytes) <= 6);
    munmap(mapping, bytes);
}

// As large as a heap may be, or as this machine maps.
static void huge_heaps_and_alignments_work(void) {
    size_t bytes = WORD == 8 ? (size_t)1 << HEAP_BYTES_LOG2 % (8 * WORD) : (size_t)1 << 30;
    void *mapping = map(bytes);
    while (mapping == MAP_FAILED && bytes > (size_t)1 << 30) mapping = map(bytes /= 2);
    CHECK(mapping != MAP_FAILED);
    printf("heap_test: the largest heap has %zu MB\n", bytes >> 20);
    CHECK(skerry_heap_init(&heap, mapping, bytes, (uintptr_t)mapping & (((size_t)1 << 30) - 1)));
    size_t large = bytes / 8;
    for (size_t alignment = 1; alignment <= large && alignment <= (size_t)1 << 30; alignment *= 2) {
        unsigned char *block = skerry_heap_allocate(&heap, large, alignment);
        CHECK(block != NULL && (uintptr_t)block % alignment == 0);
        unsigned char *second = skerry_heap_allocate(&heap, large, 0);
        CHECK(skerry_heap_resize(&heap, second, 2 * large, copy) == second);
        CHECK(skerry_heap_resize(&heap, second, large + 1, copy) == second);
        CHECK(skerry_heap_verify(&heap));
        CHECK(skerry_heap_free(&heap, block) == HEAP_FAULT_NONE && skerry_heap_free(&heap, second) == HEAP_FAULT_NONE);
    }
    CHECK(skerry_heap_allocate(&heap, bytes, 0) == NULL);
    CHECK(statistics().free_blocks == 1);
    CHECK(skerry_heap_allocate(&heap, statistics().largest, 0) != NULL);
    munmap(mapping, bytes);
}

int main(void) {
    init_refuses_what_cannot_be_a_heap();
    tiny_heaps_work();
    requests_that_make_no_sense_get_null();
    blocks_are_aligned();
    large_blocks_follow_each_other_on_lines();
    a_line_is_not_worth_a_failure();
    alignment_counts_from_the_phase();
    exhaustion_leaves_all_intact_and_merges_back();
    what_fits_is_found();
    resize_takes_the_nearest_room();
    resize_in_place_keeps_alignment();
    resize_slides_over_itself();
    resize_does_not_slide_up();
    bad_pointers_are_told_apart();
    copied_headers_do_not_pass();
    overruns_are_noticed();
    damage_is_found();
    peak_and_largest_are_reported();
    pages_cost_nothing_until_touched();
    huge_heaps_and_alignments_work();
    puts("heap_test: passed");
    return 0;
}
