// SPDX-License-Identifier: BSD-3-Clause
// The symmetric heap: one region of memory cut into blocks, allocated and freed in constant time by two-level segregated
// fit (Masmano, Ripoll, Crespo, Real: "TLSF", ECRTS 2004) with neighbours merged at once. Everything inside is an offset
// from the region's base, so PEs that make the same calls get the same offsets.
#ifndef SKERRY_HEAP_H
#define SKERRY_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Which of the two a build has: heap.c and inspect.c, which keep tables, or small.c, which walks over the blocks. A machine of 32
// bits has small memories.
#ifndef HEAP_SMALL
#define HEAP_SMALL (SIZE_MAX <= UINT32_MAX)
#endif

// What a build may set for its machine; struct heap has HEAP_ROWS * HEAP_STEPS offsets.
#if SIZE_MAX > UINT32_MAX
#ifndef HEAP_BYTES_LOG2
#define HEAP_BYTES_LOG2 44 // a region has up to 2^this bytes; at most 47, as a header's upper bits hold its seal
#endif
#ifndef HEAP_STEPS_LOG2
#define HEAP_STEPS_LOG2 4 // each power of two of sizes is divided into 2^this lists
#endif
#ifndef HEAP_LINE
#define HEAP_LINE 64 // large blocks start on, and are multiples of, this many bytes
#endif
#define HEAP_UNIT_LOG2 4
#else
#ifndef HEAP_BYTES_LOG2
#define HEAP_BYTES_LOG2 32
#endif
#ifndef HEAP_STEPS_LOG2
#define HEAP_STEPS_LOG2 2
#endif
#ifndef HEAP_LINE
#define HEAP_LINE 8 // no cache to please: the unit
#endif
#define HEAP_UNIT_LOG2 3
#endif

// Requests of at least this many bytes are placed on a line when there is room for it, and rounded up to lines. From 512 on
// that costs half a percent of memory in the mixes of test/unit/heap_measure.c; from 64 on it would cost up to 14.
#ifndef HEAP_LINE_FROM
#define HEAP_LINE_FROM 512
#endif

// Every block starts at a multiple of this (two words: 16 or 8 bytes), which suits every type.
#define HEAP_UNIT ((size_t)1 << HEAP_UNIT_LOG2)
#define HEAP_STEPS (1u << HEAP_STEPS_LOG2)
#define HEAP_ROWS (HEAP_BYTES_LOG2 - HEAP_UNIT_LOG2 - HEAP_STEPS_LOG2 + 1)

// One heap. Private to heap.c; here only so that its owner can reserve the space. Not thread-safe: the owner locks.
struct heap {
    unsigned char *base;
    size_t phase; // (phase + offset) has the alignment that (base + offset) is to have
    size_t first; // offset of the first block
    size_t end;   // offset where a block after the last one would start
#if HEAP_SMALL
    size_t blocks; // live ones; their ranges lie at the end of the memory (small.c)
#else
    size_t used; // sum of the sizes of live blocks, headers included, in bytes
    size_t peak; // the largest `used` so far
    size_t live_blocks;
    size_t free_blocks;
    size_t rows;                          // bit r: steps[r] is not 0
    uint16_t steps[HEAP_ROWS];            // bit s of [r]: list r * HEAP_STEPS + s is not empty
    size_t lists[HEAP_ROWS * HEAP_STEPS]; // offset of the first free block of each size class, or 0
#endif
};

// What a pointer is to a heap.
enum heap_fault {
    HEAP_FAULT_NONE = 0, // the start of a live block
    HEAP_FAULT_OUTSIDE,  // not in this heap's blocks at all
    HEAP_FAULT_INSIDE,   // in a live block, but not its start
    HEAP_FAULT_FREE,     // in free memory: freed before, or never allocated
    HEAP_FAULT_CORRUPT,  // a block header on the way to it, or beside it, has been overwritten
};

struct heap_statistics {
    size_t total;   // bytes that blocks and their headers share
    size_t used;    // of these, in live blocks, headers and rounding included
    size_t free;    // total - used
    size_t peak;    // the largest `used` since heap_init
    size_t largest; // the largest request that would succeed now at default alignment, in bytes; 0: none
    size_t live_blocks;
    size_t free_blocks;
};

// Copies `bytes` bytes from `from` to `to`. The ranges may overlap, with `to` below `from`: memmove, or ascending memcpy.
typedef void heap_copy(void *to, const void *from, size_t bytes);

// Makes a heap of the region [base, base + bytes). Touches the pages of its first and its last bytes, no others.
//
// phase: where the base lies in its PE's memory, counted from a place that every PE aligns alike (the partition's start; 0
// if that is the base). An allocation with alignment A gets an offset with (phase + offset) % A == 0. So the offsets are
// the same on every PE that gives the same bytes and phase, whatever its base; and the addresses are aligned to A when
// base - phase is, which the machine has to see to for the largest A it accepts (a partition's size suits every request).
// At least, base - phase must be a multiple of 64 KB where PEs map each other's memory, and of HEAP_UNIT everywhere.
//
// Returns false, touching nothing, if the region has no room for a block (a hundred bytes do), is larger than
// 2^HEAP_BYTES_LOG2, or base - phase is no multiple of HEAP_UNIT. The struct may lie anywhere outside the region; to keep
// it in the same memory, pass the rest of that memory.
bool skerry_heap_init(struct heap *heap, void *base, size_t bytes, size_t phase);

// Returns a block of at least `bytes` bytes, with unknown content, aligned to `alignment`, a power of two (0: HEAP_UNIT).
// Requests of HEAP_LINE_FROM bytes and more are aligned to HEAP_LINE unless only a less aligned place is left.
// Returns NULL, with the heap unchanged, if bytes is 0, if alignment is no power of two, or if no free range can hold it;
// a range that could hold it is always found. On 64-bit machines also if a free block that it comes upon was overwritten:
// skerry_heap_find_damage tells. Constant time (but before it returns NULL it looks at every candidate).
void *skerry_heap_allocate(struct heap *heap, size_t bytes, size_t alignment);

// Frees a block. NULL is allowed and does nothing. Anything else that is no live block's start is refused, with the heap
// unchanged: the return value tells what it is. Constant time where it succeeds (on 32-bit machines: see heap_check_pointer).
enum heap_fault skerry_heap_free(struct heap *heap, void *block);

// Gives a live block a new size and returns where it is now; its first min(old, new) bytes are kept. Shrinks in place. Grows
// in place if what follows is free, else down into free memory before it, else elsewhere, in the last two cases with `copy`.
// A block that moves has the alignment of skerry_heap_allocate(bytes, 0), whatever it had before; one that stays keeps its own.
// NULL as block: allocates. 0 as bytes: frees and returns NULL. If there is no room, or block is no live block's start:
// returns NULL, with heap and block unchanged.
void *skerry_heap_resize(struct heap *heap, void *block, size_t bytes, heap_copy *copy);

// A header or a link that something wrote over.
struct heap_damage {
    const void *at; // the block that it belongs to
    const void *
        before; // the live block that ends there, which was written past its end unless `at` was written before its start;
                // NULL if there is none
    size_t bytes; // that `before` can hold
};

// Looks for the first header or link that was overwritten; false if there is none. Linear in the number of blocks; reads only.
// Only 64-bit machines have the seals by which every header is known (HEAP_SEALED).
bool skerry_heap_find_damage(const struct heap *heap, struct heap_damage *damage);
#define HEAP_SEALED (SIZE_MAX > UINT32_MAX)

// The first live block after the live block `block`, or of all if that is NULL, and in *bytes what it can hold. NULL after the
// last one, or at a header that was overwritten.
void *skerry_heap_next_block(const struct heap *heap, const void *block, size_t *bytes);

// The bytes a live block can hold (at least what was asked for); 0 for anything else.
size_t skerry_heap_block_size(const struct heap *heap, const void *block);

// Tells what a pointer is. A live block's start on a 64-bit machine is known at once: its header and its neighbours' carry
// seals over place and size, and no stale header survives a merge, so other memory passes with a chance far below 2^-30
// a pointer and never by being zeros or small numbers. Everything else, and everything on 32-bit machines (whose headers
// have no bits to spare), walks the blocks from the first, which is exact; linear in the number of blocks.
enum heap_fault skerry_heap_check_pointer(const struct heap *heap, const void *pointer);

// The live block that `address` lies in: its start, and in *bytes what it can hold. NULL if there is none, also if a header
// on the way has been overwritten. Linear in the number of blocks.
void *skerry_heap_block_containing(const struct heap *heap, const void *address, size_t *bytes);

// True if every invariant in heap.c holds. Linear in the number of blocks; reads only. Meant for tests and checking builds.
bool skerry_heap_verify(const struct heap *heap);

// The most bytes that live blocks have taken, headers included; 0 in small heaps, which do not count them.
static inline size_t skerry_heap_peak(const struct heap *heap) {
#if HEAP_SMALL
    (void)heap;
    return 0;
#else
    return heap->peak;
#endif
}

// Fills *statistics. Linear in the number of free blocks of the largest occupied size class.
void skerry_heap_statistics(const struct heap *heap, struct heap_statistics *statistics);

#endif
