// SPDX-License-Identifier: BSD-3-Clause
// Declares the symmetric heap: one region of memory that is divided into blocks. The algorithm is two-level segregated
// fit (Masmano, Ripoll, Crespo, Real: "TLSF", ECRTS 2004). The algorithm allocates and frees a block in constant time,
// and merges free neighbours at once. All state is offsets from the region's base, so PEs that make the same calls get
// the same offsets.
#ifndef SKERRY_HEAP_H
#define SKERRY_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Selects one of two implementations. 0 selects heap.c and inspect.c, which have lists of free blocks. 1 selects
// small.c, which walks over the blocks. A 32-bit machine has a small memory, so small.c is its default.
#ifndef HEAP_SMALL
#define HEAP_SMALL (SIZE_MAX <= UINT32_MAX)
#endif

// Constants that a build is allowed to set for its machine. The constants determine the size of struct heap, which has
// HEAP_ROWS * HEAP_STEPS offsets.
#if SIZE_MAX > UINT32_MAX
#ifndef HEAP_BYTES_LOG2
#define HEAP_BYTES_LOG2 44 // log2 of the largest region in bytes; at most 47, because a header has a seal of 16 bits
#endif
#ifndef HEAP_STEPS_LOG2
#define HEAP_STEPS_LOG2 4 // log2 of the number of lists into which each power of two of sizes is divided
#endif
#ifndef HEAP_LINE
#define HEAP_LINE 64 // alignment of large blocks in bytes; their sizes are multiples of it
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
#define HEAP_LINE 8 // bytes; equal to the unit, because a 32-bit machine has no cache
#endif
#define HEAP_UNIT_LOG2 3
#endif

// A request of at least this many bytes gets a block that starts at a multiple of HEAP_LINE, if possible. The block's
// size is rounded up to a multiple of HEAP_LINE. With 512 here, the rounding costs half a percent of memory in the
// requests of test/unit/heap_measure.c. With 64 here, it would cost up to 14 percent.
#ifndef HEAP_LINE_FROM
#define HEAP_LINE_FROM 512
#endif

// Bytes of a unit: two words, which are 16 or 8 bytes. Every block starts at a multiple of the unit and is therefore
// aligned for every type.
#define HEAP_UNIT ((size_t)1 << HEAP_UNIT_LOG2)
#define HEAP_STEPS (1u << HEAP_STEPS_LOG2)
#define HEAP_ROWS (HEAP_BYTES_LOG2 - HEAP_UNIT_LOG2 - HEAP_STEPS_LOG2 + 1)

// The state of one heap. Only the functions of this folder use the fields. The struct is defined here so that the
// heap's owner can allocate it. The functions are not thread-safe: the owner must lock.
struct heap {
    unsigned char *base;
    size_t phase; // the heap aligns (phase + offset), not the address (base + offset)
    size_t first; // offset of the first block
    size_t end;   // offset at which a block after the last one would start
#if HEAP_SMALL
    size_t blocks; // number of allocated blocks; the end of the memory has a table of them (small.c)
#else
    size_t used; // sum of the sizes of allocated blocks, headers included, in bytes
    size_t peak; // the largest `used` so far
    size_t live_blocks;
    size_t free_blocks;
    size_t rows;                          // bit r is set if steps[r] is not 0
    uint16_t steps[HEAP_ROWS];            // bit s of steps[r] is set if list r * HEAP_STEPS + s is not empty
    size_t lists[HEAP_ROWS * HEAP_STEPS]; // offset of the first free block of each size class, or 0
#endif
};

// The classes of pointers that skerry_heap_check_pointer distinguishes.
enum heap_fault {
    HEAP_FAULT_NONE = 0, // the start of an allocated block
    HEAP_FAULT_OUTSIDE,  // outside this heap's blocks
    HEAP_FAULT_INSIDE,   // inside an allocated block, but not its start
    HEAP_FAULT_FREE,     // in free memory: freed before, or never allocated
    HEAP_FAULT_CORRUPT,  // class unknown: a header before the pointer or of a neighbour block was overwritten
};

struct heap_statistics {
    size_t total;   // bytes of all blocks, live and free, headers included
    size_t used;    // bytes of allocated blocks, headers and rounding included
    size_t free;    // total - used
    size_t peak;    // the largest `used` since skerry_heap_init
    size_t largest; // bytes of the largest request at default alignment that would succeed now, or 0 if none would
    size_t live_blocks;
    size_t free_blocks;
};

// The type of a function that copies `bytes` bytes from `from` to `to`. The caller of skerry_heap_resize passes such a
// function. The ranges can overlap if `to` is below `from`: memmove or a copy in ascending order is right.
typedef void heap_copy(void *to, const void *from, size_t bytes);

// Makes a heap of the region [base, base + bytes). The function writes only to the pages of the region's first and last
// bytes. The struct `heap` must be outside the region.
//
// `phase` is the distance in bytes from a common place to `base`. The common place has the same alignment in every PE;
// the start of the partition (the PE's part of the global address space) is an example. Rules for `phase`:
// - An allocation with alignment A gets an offset with (phase + offset) % A == 0. So PEs that pass the same `bytes` and
//   `phase` get the same offsets.
// - An address is aligned to A only if base - phase is a multiple of A. The machine must ensure this for the largest A
//   that it accepts. A base - phase that is a multiple of the size of a partition is enough for every request.
// - base - phase must be a multiple of HEAP_UNIT, and of 64 KB if PEs map each other's memory.
//
// Returns false, and writes nothing, in three cases:
// - The region is too small for a block. A hundred bytes are enough.
// - The region is larger than 2^HEAP_BYTES_LOG2 bytes.
// - base - phase is not a multiple of HEAP_UNIT.
bool skerry_heap_init(struct heap *heap, void *base, size_t bytes, size_t phase);

// Returns a block of at least `bytes` bytes with unknown content, aligned to `alignment`, a power of two (0:
// HEAP_UNIT). A request of HEAP_LINE_FROM bytes or more is aligned to HEAP_LINE if a free range can hold it at that
// alignment. The call takes constant time. Before it returns NULL, it examines every free block that could be large
// enough. Returns NULL, and leaves the heap unchanged, in these cases:
// - `bytes` is 0, or `alignment` is not a power of two.
// - No free range can hold the block.
// - On 64-bit machines: a program has overwritten the header or links of a free block that the search examined.
//   skerry_heap_find_damage returns where.
void *skerry_heap_allocate(struct heap *heap, size_t bytes, size_t alignment);

// Frees a block. Returns HEAP_FAULT_NONE if it has freed the block, or if `block` is NULL. If `block` is no start of a
// allocated block, changes nothing and returns the class of the pointer. A successful call takes constant time on
// 64-bit machines. For 32-bit machines see skerry_heap_check_pointer.
enum heap_fault skerry_heap_free(struct heap *heap, void *block);

// Gives an allocated block a new size, keeps its first min(old, new) bytes, and returns its new start. The rules:
// - A smaller block stays at its place, and keeps its alignment.
// - A larger block also stays at its place if enough memory after it is free. If not, the function moves the block:
//   down into free memory before it, or to a new block elsewhere. The function calls `copy` for the content.
// - A moved block has the alignment of skerry_heap_allocate(bytes, 0), whatever alignment it had before.
// - If `block` is NULL, the function allocates a block. If `bytes` is 0, it frees the block and returns NULL.
// - If no free memory is large enough, it returns NULL and changes nothing. The same holds if `block` is not the start
//   of an allocated block.
void *skerry_heap_resize(struct heap *heap, void *block, size_t bytes, heap_copy *copy);

// A header or a link that was overwritten.
struct heap_damage {
    const void *at; // the block whose header or link was overwritten
    // The allocated block that ends at the overwritten header, or NULL. A program wrote either past the end of this
    // block, or before the start of the block `at`.
    const void *before;
    size_t bytes; // number of bytes that `before` can hold
};

// Searches for the first header or link that a program has overwritten. Fills in *damage and returns true if there is
// one. Changes nothing, and takes time linear in the number of blocks. Only for machines with sealed headers
// (HEAP_SEALED: a header contains a hash of its block).
bool skerry_heap_find_damage(const struct heap *heap, struct heap_damage *damage);
#define HEAP_SEALED (SIZE_MAX > UINT32_MAX)

// Returns the first allocated block after the allocated block `block`, or the first allocated block of the heap if
// `block` is NULL. Sets *bytes to the number of bytes that the returned block can hold. Returns NULL after the last
// allocated block, or at a header that a program has overwritten.
void *skerry_heap_next_block(const struct heap *heap, const void *block, size_t *bytes);

// Returns the number of bytes that an allocated block can hold. This number is at least the number of bytes requested.
// Returns 0 if `block` is not the start of an allocated block.
size_t skerry_heap_block_size(const struct heap *heap, const void *block);

// Returns the class of a pointer. The walk below is exact and takes time linear in the number of blocks.
// - 64-bit machines recognise the start of an allocated block in constant time. The headers of the block and of its
//   neighbours contain a seal, a hash of offset and size. For each pointer to other memory, the probability that this
//   memory looks like an allocated block is far below 2^-30. The probability is 0 if the word before the pointer is
//   zero or a small number. For all other pointers the function walks over the blocks from the first block.
// - 32-bit machines always walk, because headers there have no free bits for a seal.
enum heap_fault skerry_heap_check_pointer(const struct heap *heap, const void *pointer);

// Returns the start of the allocated block that contains `address`, and sets *bytes to the bytes that the block can
// hold. Returns NULL if there is no such block, or if a program has overwritten a header before the address. Takes time
// linear in the number of blocks.
void *skerry_heap_block_containing(const struct heap *heap, const void *address, size_t *bytes);

// Returns true if every invariant of block.h holds. For a small heap (HEAP_SMALL), returns true if the table of blocks
// is in order. Changes nothing, and takes time linear in the number of blocks. For tests and checking builds.
bool skerry_heap_verify(const struct heap *heap);

// Returns the largest number of bytes, headers included, that allocated blocks have used at any time so far. Returns 0
// for small heaps (HEAP_SMALL), which do not record this number.
static inline size_t skerry_heap_peak(const struct heap *heap) {
#if HEAP_SMALL
    (void)heap;
    return 0;
#else
    return heap->peak;
#endif
}

// Fills in *statistics. The call walks over the free blocks of the largest size class that has a free block. For a
// small heap (HEAP_SMALL) it walks over all blocks.
void skerry_heap_statistics(const struct heap *heap, struct heap_statistics *statistics);

#endif
