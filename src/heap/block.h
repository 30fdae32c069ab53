// SPDX-License-Identifier: BSD-3-Clause
// Defines the layout of a heap's memory, for heap.c and inspect.c only. A block is identified by the offset of its
// first user byte. The word before that byte is the block's header. The size of a block is the distance from its offset
// to the next block's offset. The size includes one header and is a multiple of HEAP_UNIT.
//
//     header | user bytes ............................... | header | ...        allocated block: one word of overhead
//     header | next | previous | (unused) ........ | size | header | ...        free block: links and size in its bytes
//
// No decision of the allocator depends on an address: decisions depend on offsets, sizes and the order of lists.
// Therefore PEs that make the same calls get the same offsets.
#ifndef SKERRY_HEAP_BLOCK_H
#define SKERRY_HEAP_BLOCK_H

// Invariants between calls (skerry_heap_verify checks each of them):
// 1. From `first` on, each header's size leads to the next header. The last header, at `end`, has size 0 and LAST.
// 2. Every header is sealed: its upper bits are a hash of its offset and size. A former header is overwritten with
//    zeros.
// 3. No two free blocks are adjacent. Therefore the release of a block merges at most three blocks.
// 4. A header has the flag BEFORE_FREE exactly if the block before it is free. The word before such a header holds the size of
//    that free block.
// 5. Each free block is in the list of its size class. HEAP_STEPS lists are a row. The bit of a list (in `steps`) is
//    set if the list has a block, else clear. The bit of a row (in `rows`) is set if a list of the row has a block,
//    else clear.
// 6. `used`, `live_blocks` and `free_blocks` equal the sums of a walk over all blocks.

#include "heap.h"

// The attribute may_alias lets this type share bytes with objects of any type, because users store any type in a block.
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

// Returns the word that holds the size of the free block before `block`. Valid only if the header of `block` has
// BEFORE_FREE.
static inline heap_word *size_before(const struct heap *heap, size_t block) {
    return word_at(heap, block - 2 * WORD);
}

static inline size_t size_in(size_t header) {
    return header & SIZE_BITS;
}

// Computes the header of a block. The seal (the hash in the upper 16 bits) does not cover the flags: a change of the
// flag BEFORE_FREE keeps the seal valid. The top bit is always set. Zeros, small numbers and user addresses have this
// bit clear, so they are never valid headers.
static inline size_t make_header(size_t block, size_t size, size_t flags) {
#if SEALED
    size_t hash = block * 0x9e3779b97f4a7c15u ^ size * 0xc2b2ae3d27d4eb4fu;
    return (hash >> 48 | 0x8000u) << 48 | size | flags;
#else
    (void)block;
    return size | flags;
#endif
}

// Returns the header of the block at offset `block`, or 0 if the word there is not a valid header. The offset must be
// `first` plus a multiple of HEAP_UNIT, and at most `end`.
static inline size_t checked_header(const struct heap *heap, size_t block) {
    size_t header = *header_of(heap, block);
    size_t size = size_in(header);
    if (block == heap->end) return header == make_header(block, 0, LAST | (header & BEFORE_FREE)) ? header : 0;
    if (size < SMALLEST || size > heap->end - block) return 0;
    return header == make_header(block, size, header & (FREE | BEFORE_FREE)) ? header : 0;
}

// Returns the number of the list (size class) for free blocks of `size` bytes. Row 0 has one class for each number of
// units (HEAP_UNIT bytes). Each further row divides the sizes between two powers of two into HEAP_STEPS classes.
static inline size_t class_of(size_t size) {
    size_t units = size >> HEAP_UNIT_LOG2;
    if (units < HEAP_STEPS) return units;
    size_t shift = (size_t)(ROW_BITS - 1) - (size_t)__builtin_clzl(units) - HEAP_STEPS_LOG2;
    return (shift << HEAP_STEPS_LOG2) + (units >> shift);
}

// Returns the first class, from `class` on, that has a free block. Returns the number of classes if no such
// class exists.
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

// Returns true if the headers of a block and of its two neighbours agree on two things: where the block starts and
// ends, and which of the three blocks are free.
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

// Returns true if `block` is an offset at which a block can start. Checks the links of free blocks: a program that
// writes to freed memory can have overwritten a link.
static inline bool is_place(const struct heap *heap, size_t block) {
    return block >= heap->first && block < heap->end && (block - heap->first) % HEAP_UNIT == 0;
}

// Returns true if the two links of a free block are sound. A link is sound if it leads to a free block whose link leads
// back. If the block has no previous block, the list of its size class must begin with the block. The caller must have
// checked the header of the block.
static inline bool links_are_sound(const struct heap *heap, size_t block) {
    size_t next = *word_at(heap, block), previous = *word_at(heap, block + WORD);
    if (next != 0 &&
        (!is_place(heap, next) || !(checked_header(heap, next) & FREE) || *word_at(heap, next + WORD) != block))
        return false;
    if (previous == 0) return heap->lists[class_of(size_in(*header_of(heap, block)))] == block;
    return is_place(heap, previous) && checked_header(heap, previous) & FREE && *word_at(heap, previous) == block;
}

// Returns true if the links of each free neighbour of a block are sound. The caller must have checked the block itself
// (is_sound).
static inline bool neighbours_are_sound(const struct heap *heap, size_t block) {
    size_t after = block + size_in(*header_of(heap, block));
    if (*header_of(heap, after) & FREE && !links_are_sound(heap, after)) return false;
    return !(*header_of(heap, block) & BEFORE_FREE) || links_are_sound(heap, block - *size_before(heap, block));
}

#endif
