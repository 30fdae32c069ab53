// SPDX-License-Identifier: BSD-3-Clause
// Defines functions that read a heap without changing it: the functions classify a pointer, verify the invariants of
// block.h, and give statistics. A program can have overwritten any header. Therefore these functions check a block
// before they use it: the hash and the size in its header, and the headers of its two neighbours.
#include "block.h"

size_t skerry_heap_block_size(const struct heap *heap, const void *block) {
    if (skerry_heap_check_pointer(heap, block) != HEAP_FAULT_NONE) return 0;
    return size_in(*header_of(heap, (size_t)((const unsigned char *)block - heap->base))) - WORD;
}

// Returns the block that contains the offset `place`, which must be in [first, end). Walks over the blocks from the
// first block. Returns 0 if it finds a word that is not a valid header.
static size_t walk_to(const struct heap *heap, size_t place) {
    size_t block = heap->first;
    for (;;) {
        size_t header = checked_header(heap, block);
        if (header == 0) return 0;
        if (place - block < size_in(header)) return block;
        block += size_in(header);
    }
}

// Sets *offset to the offset of an address. Returns false if the address is not in [first, end).
static bool offset_of(const struct heap *heap, const void *address, size_t *offset) {
    *offset = (uintptr_t)address - (uintptr_t)heap->base;
    return (uintptr_t)address >= (uintptr_t)heap->base && *offset >= heap->first && *offset < heap->end;
}

enum heap_fault skerry_heap_check_pointer(const struct heap *heap, const void *pointer) {
    size_t offset;
    if (!offset_of(heap, pointer, &offset)) return HEAP_FAULT_OUTSIDE;
    bool could_start = (offset - heap->first) % HEAP_UNIT == 0;
    if (SEALED && could_start && is_sound(heap, offset) && !(*header_of(heap, offset) & FREE))
        return neighbours_are_sound(heap, offset) ? HEAP_FAULT_NONE : HEAP_FAULT_CORRUPT;
    size_t block = walk_to(heap, offset);
    if (block == 0) return HEAP_FAULT_CORRUPT;
    if (*header_of(heap, block) & FREE) return HEAP_FAULT_FREE;
    if (block != offset) return HEAP_FAULT_INSIDE;
    return is_sound(heap, block) ? HEAP_FAULT_NONE : HEAP_FAULT_CORRUPT;
}

void *skerry_heap_block_containing(const struct heap *heap, const void *address, size_t *bytes) {
    size_t offset;
    size_t block = offset_of(heap, address, &offset) ? walk_to(heap, offset) : 0;
    if (block == 0 || *header_of(heap, block) & FREE) return NULL;
    *bytes = size_in(*header_of(heap, block)) - WORD;
    return heap->base + block;
}

void *skerry_heap_next_block(const struct heap *heap, const void *block, size_t *bytes) {
    size_t at = heap->first;
    if (block != NULL) {
        at = (size_t)((const unsigned char *)block - heap->base);
        at += size_in(*header_of(heap, at));
    }
    for (size_t header; at != heap->end; at += size_in(header)) {
        header = checked_header(heap, at);
        if (header == 0) return NULL;
        if (header & FREE) continue;
        *bytes = size_in(header) - WORD;
        return heap->base + at;
    }
    return NULL;
}

bool skerry_heap_find_damage(const struct heap *heap, struct heap_damage *damage) {
    *damage = (struct heap_damage){0};
    for (size_t block = heap->first;;) {
        size_t header = checked_header(heap, block);
        damage->at = heap->base + block;
        if (header == 0) return true;
        if (block == heap->end) return false;
        damage->before = header & FREE ? NULL : damage->at;
        damage->bytes = size_in(header) - WORD;
        size_t after = block + size_in(header);
        bool leads_on = checked_header(heap, after) != 0; // if false, the next iteration reports the header at `after`
        if (leads_on && header & FREE && !(is_sound(heap, block) && links_are_sound(heap, block))) return true;
        damage->at = heap->base + after;
        if (leads_on && !is_sound(heap, block)) return true;
        block = after;
    }
}

// Returns true if all lists are sound: each list has only free blocks of its class, whose links are sound in both
// directions. The lists together must have `free_blocks` blocks.
static bool lists_are_sound(const struct heap *heap) {
    size_t seen = 0;
    size_t class = next_class(heap, 0);
    for (; class < HEAP_ROWS * HEAP_STEPS; class = next_class(heap, class + 1)) {
        size_t previous = 0;
        size_t block = heap->lists[class];
        if (block == 0) return false;
        for (; block != 0; previous = block, block = *word_at(heap, block)) {
            if (block < heap->first || block >= heap->end || (block - heap->first) % HEAP_UNIT != 0) return false;
            size_t header = checked_header(heap, block);
            if (!(header & FREE) || class_of(size_in(header)) != class || *word_at(heap, block + WORD) != previous)
                return false;
            if (++seen > heap->free_blocks) return false;
        }
    }
    for (size_t row = 0; row < HEAP_ROWS; row++)
        if (heap->rows >> row & 1 && heap->steps[row] == 0) return false;
    return seen == heap->free_blocks;
}

bool skerry_heap_verify(const struct heap *heap) {
    size_t used = 0, live = 0, free_blocks = 0;
    size_t block = heap->first;
    while (block != heap->end) {
        if (!is_sound(heap, block)) return false;
        size_t header = *header_of(heap, block);
        if (header & FREE) {
            free_blocks++;
        } else {
            live++;
            used += size_in(header);
        }
        block += size_in(header);
    }
    return used == heap->used && used <= heap->peak && live == heap->live_blocks && free_blocks == heap->free_blocks &&
           lists_are_sound(heap);
}

void skerry_heap_statistics(const struct heap *heap, struct heap_statistics *statistics) {
    size_t largest = 0;
    if (heap->rows != 0) {
        size_t row = (size_t)(ROW_BITS - 1) - (size_t)__builtin_clzl(heap->rows);
        size_t step = (size_t)(ROW_BITS - 1) - (size_t)__builtin_clzl(heap->steps[row]);
        size_t block = heap->lists[(row << HEAP_STEPS_LOG2) + step];
        for (; block != 0; block = *word_at(heap, block)) {
            size_t size = size_in(*header_of(heap, block));
            largest = size > largest ? size : largest;
        }
    }
    statistics->total = heap->end - heap->first;
    statistics->used = heap->used;
    statistics->free = statistics->total - heap->used;
    statistics->peak = heap->peak;
    statistics->largest = largest == 0 ? 0 : largest - WORD;
    statistics->live_blocks = heap->live_blocks;
    statistics->free_blocks = heap->free_blocks;
}
