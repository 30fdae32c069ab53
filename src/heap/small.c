// SPDX-License-Identifier: BSD-3-Clause
// Implements the heap for small memories by first fit. Blocks have no headers, so two blocks of 8 KB can lie at
// successive multiples of 8 KB. A table lists the live (allocated) blocks in the order of their addresses. The table
// grows down from the end of the memory:
//
//     block | free | block | block | free ............ | range of block 2 | range of block 1 | range of block 0 |
//
// A memory of 32 KB has few blocks. For few blocks, a walk over the table is faster than the search of heap.c in size
// classes. The walk takes only a few hundred bytes of code.
#include "heap.h"

#include <stddef.h>

// LEAST_ALIGNMENT is the smallest alignment of a block, large enough for an object of any type.
#define LEAST_ALIGNMENT (HEAP_UNIT > _Alignof(max_align_t) ? HEAP_UNIT : _Alignof(max_align_t))

// An entry of the table: the offsets at which block i begins and ends.
struct range {
    size_t begin, end;
};

static inline struct range *range_of(const struct heap *heap, size_t i) {
    return (struct range *)(void *)(heap->base + heap->end) - 1 - i;
}

// Returns the offset at which a table of `blocks` entries begins. No block ends after this offset.
static size_t limit_of(const struct heap *heap, size_t blocks) {
    return heap->end - blocks * sizeof(struct range);
}

// Returns the size of the block that a request needs, or 0 if even an empty heap is too small for it.
static size_t size_for(const struct heap *heap, size_t bytes) {
    return bytes > heap->end - heap->first ? 0 : (bytes + HEAP_UNIT - 1) & ~(HEAP_UNIT - 1);
}

static void insert(struct heap *heap, size_t at, size_t begin, size_t end) {
    struct range *range = range_of(heap, heap->blocks++), *here = range_of(heap, at);
    for (; range != here; range++) *range = range[1];
    range->begin = begin;
    range->end = end;
}

static void remove(struct heap *heap, size_t at) {
    struct range *range = range_of(heap, at), *last = range_of(heap, --heap->blocks);
    for (; range != last; range--) *range = range[-1];
}

// Returns the offset at which the free memory before block `i` begins. If `i` is the number of blocks, this is the free
// memory before the table.
static size_t free_before(const struct heap *heap, size_t i) {
    return i == 0 ? heap->first : range_of(heap, i - 1)->end;
}

// Returns the offset at which the free memory before block `i` would end if the table got one more entry.
static size_t free_until(const struct heap *heap, size_t i) {
    return i < heap->blocks ? range_of(heap, i)->begin : limit_of(heap, heap->blocks + 1);
}

// Returns true if the table can have one more entry.
static bool has_range(const struct heap *heap) {
    size_t limit = limit_of(heap, heap->blocks + 1);
    return limit <= heap->end && limit >= free_before(heap, heap->blocks);
}

void *skerry_heap_allocate(struct heap *heap, size_t bytes, size_t alignment) {
    if (alignment & (alignment - 1)) return NULL;
    if (alignment < LEAST_ALIGNMENT) alignment = LEAST_ALIGNMENT;
    size_t size = size_for(heap, bytes), limit = limit_of(heap, heap->blocks + 1);
    if (size == 0) return NULL;
    size_t place = heap->first, at = 0, found = SIZE_MAX;
    const struct range *range = range_of(heap, 0);
    for (size_t i = 0;; i++, range--) {
        size_t until = i < heap->blocks ? range->begin : limit;
        if (until > heap->end || until < place) break; // the table has no space for one more entry
        size_t gap = (0 - (heap->phase + place)) & (alignment - 1);
        if (found == SIZE_MAX && until - place >= gap && until - place - gap >= size) found = place + gap, at = i;
        if (i == heap->blocks) {
            if (found == SIZE_MAX) break;
            insert(heap, at, found, found + size);
            return heap->base + found;
        }
        place = range->end;
    }
    return NULL;
}

// Returns the class of an address, and sets *i to the number of the block that contains it. If the address is in free
// memory, *i is the number of the next block.
static enum heap_fault look_up(const struct heap *heap, const void *address, size_t *i) {
    size_t offset = (uintptr_t)address - (uintptr_t)heap->base;
    if ((uintptr_t)address < (uintptr_t)heap->base || offset < heap->first || offset >= heap->end)
        return HEAP_FAULT_OUTSIDE;
    for (*i = 0; *i < heap->blocks; ++*i) {
        const struct range *range = range_of(heap, *i);
        if (range->begin >= range->end || range->begin < free_before(heap, *i)) return HEAP_FAULT_CORRUPT;
        if (offset < range->begin) break;
        if (offset < range->end) return offset == range->begin ? HEAP_FAULT_NONE : HEAP_FAULT_INSIDE;
    }
    return HEAP_FAULT_FREE;
}

enum heap_fault skerry_heap_check_pointer(const struct heap *heap, const void *pointer) {
    size_t i;
    return look_up(heap, pointer, &i);
}

enum heap_fault skerry_heap_free(struct heap *heap, void *pointer) {
    size_t i;
    if (pointer == NULL) return HEAP_FAULT_NONE;
    enum heap_fault fault = look_up(heap, pointer, &i);
    if (fault == HEAP_FAULT_NONE) remove(heap, i);
    return fault;
}

// Gives a block a new size (heap.h). First removes the block from the table. If the new size does not fit at the old
// place, allocates a new block.
void *skerry_heap_resize(struct heap *heap, void *pointer, size_t bytes, heap_copy *copy) {
    size_t i;
    if (pointer == NULL) return skerry_heap_allocate(heap, bytes, 0);
    if (look_up(heap, pointer, &i) != HEAP_FAULT_NONE) return NULL;
    size_t size = size_for(heap, bytes);
    if (bytes != 0 && size == 0) return NULL;
    struct range old = *range_of(heap, i);
    remove(heap, i);
    if (bytes == 0) return NULL;
    if (free_until(heap, i) - old.begin >= size) {
        insert(heap, i, old.begin, old.begin + size);
        return pointer;
    }
    // The new block can overlap the old block. In this case the new block is at the lower address. The content of the
    // old block is still there, because the heap stores nothing in free memory.
    void *moved = skerry_heap_allocate(heap, bytes, 0);
    if (moved != NULL) copy(moved, pointer, old.end - old.begin);
    else insert(heap, i, old.begin, old.end);
    return moved;
}

size_t skerry_heap_block_size(const struct heap *heap, const void *pointer) {
    size_t i;
    if (look_up(heap, pointer, &i) != HEAP_FAULT_NONE) return 0;
    return range_of(heap, i)->end - range_of(heap, i)->begin;
}

void *skerry_heap_block_containing(const struct heap *heap, const void *address, size_t *bytes) {
    size_t i;
    enum heap_fault fault = look_up(heap, address, &i);
    if (fault != HEAP_FAULT_NONE && fault != HEAP_FAULT_INSIDE) return NULL;
    *bytes = range_of(heap, i)->end - range_of(heap, i)->begin;
    return heap->base + range_of(heap, i)->begin;
}

bool skerry_heap_verify(const struct heap *heap) {
    for (size_t i = 0; i < heap->blocks; i++)
        if (range_of(heap, i)->begin >= range_of(heap, i)->end || range_of(heap, i)->begin < free_before(heap, i))
            return false;
    return free_before(heap, heap->blocks) <= limit_of(heap, heap->blocks);
}

void skerry_heap_statistics(const struct heap *heap, struct heap_statistics *statistics) {
    *statistics = (struct heap_statistics){.total = heap->end - heap->first, .live_blocks = heap->blocks};
    statistics->used = heap->blocks * sizeof(struct range);
    for (size_t i = 0; i < heap->blocks; i++) statistics->used += range_of(heap, i)->end - range_of(heap, i)->begin;
    statistics->free = statistics->total - statistics->used;
    for (size_t i = 0; i <= heap->blocks && has_range(heap); i++) {
        size_t room = free_until(heap, i) - free_before(heap, i);
        if (room > 0) statistics->free_blocks++;
        if (room > statistics->largest) statistics->largest = room;
    }
}
