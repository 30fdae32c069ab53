// SPDX-License-Identifier: BSD-3-Clause
// How a heap's memory is laid out, for heap.c and inspect.c only. A block is named by the offset of its first user byte; the
// word before that is its header. A block's size is the distance to the next one's name: it includes one header and is a
// multiple of the unit.
//
//     header | user bytes ............................... | header | ...        live: one word of overhead
//     header | next | previous | (not touched) ... | size | header | ...        free: the rest is kept in the free bytes
//
// What holds between calls (heap_verify checks each):
//  1. From `first`, each header leads to the next block's, and the last to `end`, whose header has size 0 and LAST.
//  2. Every header is sealed: its upper bits are a hash of its offset and size. A word that stops being a header is zeroed.
//  3. No two free blocks touch. So a free block's neighbours are live, and freeing merges at most three.
//  4. A header has BEFORE_FREE exactly if the block before it is free; only then is the word before it that block's size.
//  5. Each free block is in the one list of its size class, each list's bit is set exactly if it has a block, and each
//     row's bit exactly if it has a list.
//  6. `used`, `live_blocks` and `free_blocks` are what a walk counts.
// No decision reads an address: only offsets, sizes and list order, all of which follow from the calls made so far.
#ifndef SKERRY_HEAP_BLOCK_H
#define SKERRY_HEAP_BLOCK_H

#include "heap.h"

// Users store anything in the bytes that we store words in.
typedef size_t __attribute__((may_alias)) heap_word;

#define WORD sizeof(size_t)
#define SMALLEST (4 * WORD) // header, two links, size
#define FREE ((size_t)1)
#define BEFORE_FREE ((size_t)2)
#define LAST ((size_t)4)
#define ROW_BITS (8 * WORD)

#define SEALED HEAP_SEALED
#if HEAP_SEALED
#define SIZE_BITS ((((size_t)1 << HEAP_BYTES_LOG2) - 1) & ~(HEAP_UNIT - 1))
_Static_assert(HEAP_BYTES_LOG2 <= 47, "the upper 16 bits of a header are its seal");
#else
#define SIZE_BITS (~(HEAP_UNIT - 1))
_Static_assert(HEAP_BYTES_LOG2 <= 32, "sizes are 32-bit");
#endif
_Static_assert(HEAP_UNIT == 2 * WORD, "a block starts a word after its header, and headers lie on words");
_Static_assert(HEAP_ROWS > 0 && HEAP_ROWS < ROW_BITS, "one bit a row");
_Static_assert(HEAP_STEPS_LOG2 <= 4, "one bit a step in 16");
_Static_assert(HEAP_LINE >= HEAP_UNIT && (HEAP_LINE & (HEAP_LINE - 1)) == 0, "a line is a power of two of units");
_Static_assert(sizeof(unsigned long) == WORD, "the bit builtins below take long");

static inline heap_word *word_at(const struct heap *heap, size_t offset) {
    return (heap_word *)(void *)(heap->base + offset);
}

static inline heap_word *header_of(const struct heap *heap, size_t block) {
    return word_at(heap, block - WORD);
}

// The size of the free block that ends where `block` begins. Only with BEFORE_FREE in block's header.
static inline heap_word *size_before(const struct heap *heap, size_t block) {
    return word_at(heap, block - 2 * WORD);
}

static inline size_t size_in(size_t header) {
    return header & SIZE_BITS;
}

// The flags are outside the seal: a neighbour changes BEFORE_FREE without looking at the rest. The top bit is always set, so
// that zeros, counts and user addresses are never headers.
static inline size_t make_header(size_t block, size_t size, size_t flags) {
#if SEALED
    size_t hash = block * 0x9e3779b97f4a7c15u ^ size * 0xc2b2ae3d27d4eb4fu;
    return (hash >> 48 | 0x8000u) << 48 | size | flags;
#else
    (void)block;
    return size | flags;
#endif
}

// The header of a block that may not be one, or 0. `block` is a place where one could start.
static inline size_t checked_header(const struct heap *heap, size_t block) {
    size_t header = *header_of(heap, block);
    size_t size = size_in(header);
    if (block == heap->end) return header == make_header(block, 0, LAST | (header & BEFORE_FREE)) ? header : 0;
    if (size < SMALLEST || size > heap->end - block) return 0;
    return header == make_header(block, size, header & (FREE | BEFORE_FREE)) ? header : 0;
}

// Size classes: row 0 has one class for each number of units; each further row divides one power of two into steps.
static inline size_t class_of(size_t size) {
    size_t units = size >> HEAP_UNIT_LOG2;
    if (units < HEAP_STEPS) return units;
    size_t shift = (size_t)(ROW_BITS - 1) - (size_t)__builtin_clzl(units) - HEAP_STEPS_LOG2;
    return (shift << HEAP_STEPS_LOG2) + (units >> shift);
}

// The first class from `class` up that has a block, or the number of classes.
static inline size_t next_class(const struct heap *heap, size_t class) {
    size_t row = class >> HEAP_STEPS_LOG2;
    if (row >= HEAP_ROWS) return HEAP_ROWS * HEAP_STEPS;
    size_t steps = heap->rows >> row & 1 ? (size_t)heap->steps[row] & (~(size_t)0 << (class & (HEAP_STEPS - 1))) : 0;
    if (steps == 0) {
        size_t rows = heap->rows & (~(size_t)1 << row);
        if (rows == 0) return HEAP_ROWS * HEAP_STEPS;
        row = (size_t)__builtin_ctzl(rows);
        steps = heap->steps[row];
    }
    return (row << HEAP_STEPS_LOG2) + (size_t)__builtin_ctzl(steps);
}

// True if a block's header and both neighbours' agree on where it begins and ends and on which of the three are free.
static inline bool is_sound(const struct heap *heap, size_t block) {
    size_t header = checked_header(heap, block);
    if (header == 0 || block == heap->end) return false;
    size_t size = size_in(header);
    size_t after = checked_header(heap, block + size);
    if (after == 0 || (after & BEFORE_FREE) != (header & FREE ? BEFORE_FREE : 0)) return false;
    if (header & FREE && (after & FREE || header & BEFORE_FREE || *size_before(heap, block + size) != size))
        return false;
    if (!(header & BEFORE_FREE)) return true;
    if (block == heap->first) return false;
    size_t before = *size_before(heap, block);
    if (before < SMALLEST || before > block - heap->first || before % HEAP_UNIT != 0) return false;
    size_t header_before = checked_header(heap, block - before);
    return header_before & FREE && size_in(header_before) == before;
}

// True if `block` could be the name of a block: links are offsets that a write to freed memory may have changed.
static inline bool is_place(const struct heap *heap, size_t block) {
    return block >= heap->first && block < heap->end && (block - heap->first) % HEAP_UNIT == 0;
}

// True if a free block, whose header is sound, stands in its list: its links lead to free blocks that lead back.
static inline bool links_are_sound(const struct heap *heap, size_t block) {
    size_t next = *word_at(heap, block), previous = *word_at(heap, block + WORD);
    if (next != 0 &&
        (!is_place(heap, next) || !(checked_header(heap, next) & FREE) || *word_at(heap, next + WORD) != block))
        return false;
    if (previous == 0) return heap->lists[class_of(size_in(*header_of(heap, block)))] == block;
    return is_place(heap, previous) && checked_header(heap, previous) & FREE && *word_at(heap, previous) == block;
}

// True if the free blocks beside a sound block stand in their lists.
static inline bool neighbours_are_sound(const struct heap *heap, size_t block) {
    size_t after = block + size_in(*header_of(heap, block));
    if (*header_of(heap, after) & FREE && !links_are_sound(heap, after)) return false;
    return !(*header_of(heap, block) & BEFORE_FREE) || links_are_sound(heap, block - *size_before(heap, block));
}

#endif
