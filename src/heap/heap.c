// SPDX-License-Identifier: BSD-3-Clause
// Implements the heap by two-level segregated fit (heap.h). Each size class has a list of its free blocks. Two levels
// of bits (`rows` and `steps`) show which lists are not empty. block.h has the layout of a block and the invariants.
#include "block.h"

// Largest number of blocks of one list that a search examines before it goes to the next larger class. The number
// limits the time of a search. A search of 8 blocks saves up to 2 % of memory compared with 1 block: it more often
// finds a block in the smallest class that fits. 16 blocks save no more (test/unit/heap_measure.c).
#define GLANCE ((size_t)8)

// Puts a free block at the head of its list. `steps` and `lists` need no initial values. An element of steps[] is valid
// only if its bit in `rows` is set. An element of lists[] is valid only if its bit in `steps` is set.
static void link_free(struct heap *heap, size_t block, size_t size) {
    size_t class = class_of(size);
    size_t row = class >> HEAP_STEPS_LOG2;
    uint16_t step = (uint16_t)(1u << (class & (HEAP_STEPS - 1)));
    if (!(heap->rows >> row & 1)) heap->steps[row] = 0;
    size_t next = heap->steps[row] & step ? heap->lists[class] : 0;
    *word_at(heap, block) = next;
    *word_at(heap, block + WORD) = 0;
    if (next != 0) *word_at(heap, next + WORD) = block;
    heap->lists[class] = block;
    heap->steps[row] |= step;
    heap->rows |= (size_t)1 << row;
    heap->free_blocks++;
}

static void unlink_free(struct heap *heap, size_t block, size_t size) {
    size_t next = *word_at(heap, block);
    size_t previous = *word_at(heap, block + WORD);
    if (next != 0) *word_at(heap, next + WORD) = previous;
    heap->free_blocks--;
    if (previous != 0) {
        *word_at(heap, previous) = next;
        return;
    }
    size_t class = class_of(size);
    size_t row = class >> HEAP_STEPS_LOG2;
    heap->lists[class] = next;
    if (next != 0) return;
    heap->steps[row] = (uint16_t)(heap->steps[row] & ~(1u << (class & (HEAP_STEPS - 1))));
    if (heap->steps[row] == 0) heap->rows &= ~((size_t)1 << row);
}

// Makes [block, block + size) a free block. Both neighbours must be live (allocated), by invariant 3 in block.h.
static void put_free(struct heap *heap, size_t block, size_t size) {
    *header_of(heap, block) = make_header(block, size, FREE);
    *size_before(heap, block + size) = size;
    *header_of(heap, block + size) |= BEFORE_FREE;
    link_free(heap, block, size);
}

// Makes a live (allocated) block of `size` bytes in a range of free memory, and returns the block's offset. The memory
// of the range before and after the block becomes free blocks.
// - The block starts `gap` bytes after the start of the range.
// - The range must be in no list, and a live block must follow it.
// - If the block before the range is free, `flags` must be BEFORE_FREE and `gap` must be 0. If not, `flags` must be 0.
static size_t carve(struct heap *heap, size_t range, size_t range_size, size_t gap, size_t size, size_t flags) {
    size_t block = range + gap;
    size_t rest = range_size - gap - size;
    if (rest < SMALLEST) {
        size += rest;
        rest = 0;
    }
    *header_of(heap, block) = make_header(block, size, flags);
    if (gap != 0) put_free(heap, range, gap);
    if (rest != 0) put_free(heap, block + size, rest);
    else *header_of(heap, block + size) &= ~BEFORE_FREE;
    heap->live_blocks++;
    heap->used += size;
    if (heap->used > heap->peak) heap->peak = heap->used;
    return block;
}

// Removes a free block from its list, overwrites its header with 0, and returns its size. The caller then owns the
// block's bytes.
static size_t absorb(struct heap *heap, size_t block) {
    size_t size = size_in(*header_of(heap, block));
    unlink_free(heap, block, size);
    *header_of(heap, block) = 0;
    return size;
}

// Returns how many bytes must stay free at the start of a free block to align the rest of the block. The number is 0 or
// large enough for a free block.
static size_t gap_at(const struct heap *heap, size_t block, size_t alignment) {
    size_t gap = (0 - (heap->phase + block)) & (alignment - 1);
    if (gap != 0 && gap < SMALLEST) gap += alignment; // enough, because alignments above the unit are >= SMALLEST
    return gap;
}

// Returns true if an allocation can use a free block: a program has not overwritten the block's header and links. If
// headers have no seals (SEALED is 0), the function cannot test this and returns true.
static bool may_take(const struct heap *heap, size_t block) {
    return !SEALED || (is_place(heap, block) && is_sound(heap, block) && links_are_sound(heap, block));
}

// Returns a free block that can hold `size` bytes at `alignment`. Sets *gap to the bytes to leave free at the block's
// start. Examines up to `glance` blocks of each class, from the smallest class on. Returns 0 if it finds no such block,
// or if it finds a damaged block.
static size_t find_free(const struct heap *heap, size_t size, size_t alignment, size_t glance, size_t *gap) {
    size_t class = next_class(heap, class_of(size));
    // The search ends at the latest in the first class above that of size + alignment + SMALLEST: each of its blocks is
    // large enough.
    for (; class < HEAP_ROWS * HEAP_STEPS; class = next_class(heap, class + 1)) {
        size_t block = heap->lists[class];
        for (size_t seen = 0; block != 0 && seen < glance; seen++, block = *word_at(heap, block)) {
            if (!may_take(heap, block)) return 0;
            size_t room = size_in(*header_of(heap, block));
            *gap = gap_at(heap, block, alignment);
            if (*gap <= room && room - *gap >= size) return block;
        }
    }
    return 0;
}

// Returns the size of the block that a request needs, or 0 if even an empty heap is too small. The sum cannot overflow:
// after the first test, bytes + WORD is at most end - first, and end - first is a multiple of HEAP_UNIT.
static size_t size_for(const struct heap *heap, size_t bytes) {
    if (bytes > heap->end - heap->first - WORD) return 0;
    size_t size = (bytes + WORD + HEAP_UNIT - 1) & ~(HEAP_UNIT - 1);
    return size < SMALLEST ? SMALLEST : size;
}

// Rounds `size` up to a multiple of HEAP_LINE if the request of `bytes` bytes is large (HEAP_LINE_FROM). The next large
// block then also starts on a line. Returns `size` itself if the rounded size is more than `room`.
static size_t line_size(size_t size, size_t bytes, size_t room) {
    size_t lines = (size + HEAP_LINE - 1) & ~(size_t)(HEAP_LINE - 1);
    return bytes >= HEAP_LINE_FROM && lines >= size && lines <= room ? lines : size;
}

bool skerry_heap_init(struct heap *heap, void *base, size_t bytes, size_t phase) {
    // The first block starts after its header, at an offset for which phase + offset is a multiple of HEAP_UNIT.
    size_t first = WORD + ((0 - (phase + WORD)) & (HEAP_UNIT - 1));
    if (base == NULL || bytes < first + SMALLEST || (bytes - 1) >> (HEAP_BYTES_LOG2 - 1) > 1) return false;
    if (((uintptr_t)base - phase) % HEAP_UNIT != 0) return false;
    heap->base = base;
    heap->phase = phase;
    heap->first = first;
    heap->used = heap->peak = heap->live_blocks = heap->free_blocks = heap->rows = 0;
    heap->end = first + ((bytes - first) & ~(HEAP_UNIT - 1));
    *header_of(heap, heap->end) = make_header(heap->end, 0, LAST);
    put_free(heap, first, heap->end - first);
    return true;
}

void *skerry_heap_allocate(struct heap *heap, size_t bytes, size_t alignment) {
    if (alignment < HEAP_UNIT && (alignment & (alignment - 1)) == 0) alignment = HEAP_UNIT;
    size_t size = size_for(heap, bytes);
    if (bytes == 0 || size == 0 || (alignment & (alignment - 1)) != 0) return NULL;

    size_t gap;
    size_t block = 0;
    size_t wanted = line_size(size, bytes, heap->end - heap->first);
    if (bytes >= HEAP_LINE_FROM)
        block = find_free(heap, wanted, alignment < HEAP_LINE ? HEAP_LINE : alignment, GLANCE, &gap);
    if (block == 0) {
        wanted = size;
        block = find_free(heap, size, alignment, GLANCE, &gap);
    }
    if (block == 0) block = find_free(heap, size, alignment, SIZE_MAX, &gap);
    if (block == 0) return NULL;
    size_t room = absorb(heap, block);
    return heap->base + carve(heap, block, room, gap, wanted, 0);
}

// Frees a block. The caller must have checked that the block is live.
static void release(struct heap *heap, size_t block) {
    size_t header = *header_of(heap, block);
    size_t size = size_in(header);
    heap->used -= size;
    heap->live_blocks--;
    if (*header_of(heap, block + size) & FREE) size += absorb(heap, block + size);
    if (header & BEFORE_FREE) {
        size_t before = *size_before(heap, block);
        *header_of(heap, block) = 0;
        block -= before;
        size += absorb(heap, block);
    }
    put_free(heap, block, size);
}

enum heap_fault skerry_heap_free(struct heap *heap, void *block) {
    if (block == NULL) return HEAP_FAULT_NONE;
    enum heap_fault fault = skerry_heap_check_pointer(heap, block);
    if (fault == HEAP_FAULT_NONE) release(heap, (size_t)((unsigned char *)block - heap->base));
    return fault;
}

// Moves a block down into the free block before it. `room` is the size of the block plus that of the free block after
// it, if there is one. Returns the new offset.
static size_t slide_down(struct heap *heap, size_t block, size_t room, size_t bytes, size_t size, heap_copy *copy) {
    size_t held = size_in(*header_of(heap, block));
    size_t before = *size_before(heap, block);
    size_t start = block - before;
    size_t gap = bytes >= HEAP_LINE_FROM ? gap_at(heap, start, HEAP_LINE) : 0;
    // If the gap is kept, gap + size <= before + room. The caller ensures that size > room. So gap < before, and the block
    // moves down.
    if (before + room < gap + size) gap = 0;
    absorb(heap, start);
    if (room > held) absorb(heap, block + held);
    // The old header is zeroed, because the copy does not always overwrite it. After the copy, the place of the old
    // header can hold copied content. So the old header is zeroed before the copy.
    *header_of(heap, block) = 0;
    heap->used -= held;
    heap->live_blocks--;
    // New headers are written after the copy, because a new header can lie where the content was. The copy ends before
    // the end of `room`, so it overwrites no other header.
    copy(heap->base + start + gap, heap->base + block, held - WORD);
    return carve(heap, start, before + room, gap, line_size(size, bytes, before + room - gap), 0);
}

void *skerry_heap_resize(struct heap *heap, void *pointer, size_t bytes, heap_copy *copy) {
    if (pointer == NULL) return skerry_heap_allocate(heap, bytes, 0);
    if (skerry_heap_check_pointer(heap, pointer) != HEAP_FAULT_NONE) return NULL;
    size_t block = (size_t)((unsigned char *)pointer - heap->base);
    if (bytes == 0) {
        release(heap, block);
        return NULL;
    }
    size_t size = size_for(heap, bytes);
    if (size == 0) return NULL;
    size_t header = *header_of(heap, block);
    size_t held = size_in(header);
    size_t after = *header_of(heap, block + held);
    size_t room = held + (after & FREE ? size_in(after) : 0);

    if (size <= room) {
        if (room > held) absorb(heap, block + held);
        heap->used -= held;
        heap->live_blocks--;
        carve(heap, block, room, 0, line_size(size, bytes, room), header & BEFORE_FREE);
        return pointer;
    }
    if (header & BEFORE_FREE && size <= room + *size_before(heap, block))
        return heap->base + slide_down(heap, block, room, bytes, size, copy);
    void *moved = skerry_heap_allocate(heap, bytes, 0);
    if (moved == NULL) return NULL;
    copy(moved, pointer, held - WORD);
    release(heap, block);
    return moved;
}
