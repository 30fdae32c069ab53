// SPDX-License-Identifier: BSD-3-Clause
// Allocates memory for all workers. The heap is the shared memory behind the program's data. malloc takes memory from
// the lower end of the heap (_sbrk). Small blocks for the runtime are in *slabs*, which are taken from the upper end.
// * A slab has SLAB_BYTES bytes. All its blocks have the same size, and the first word of the slab has the number of
//   this size class.
// * A freed block goes into the list of free blocks of its class. So the time to take a small block does not depend on
//   the number of blocks. newlib's malloc would search through all free blocks.
#include "spin_lock.h"
#include "worker_world.h"

#include <errno.h>
#include <malloc.h>
#include <stddef.h>
#include <stdlib.h>

extern char skerry_heap_begin[], skerry_heap_end[]; // the linker script

#define UNIT 64u
#define SLAB_BYTES ((uintptr_t)16384)
#define SLAB_HEAD UNIT // bytes at the beginning of a slab, before its blocks
#define LEAST_BYTES 16u
#define CLASSES 18u // 16, 32, and the multiples of UNIT up to SMALL_BYTES
#define SMALL_BYTES ((CLASSES - 2) * UNIT)

struct block {
    struct block *next;
};

struct size_class {
    _Alignas(SKERRY_FALSE_SHARING_RANGE) struct skerry_spin lock; // protects the words below
    struct block *free;
    char *fresh, *fresh_end; // bounds of the memory in the newest slab of this class from which no block was taken yet
};
static struct size_class classes[CLASSES];

static struct skerry_spin heap_lock; // protects the words below
static char *malloc_end = skerry_heap_begin, *slabs_begin = skerry_heap_end;
static char *least_slab; // if `more_begin` is set: end of malloc's memory below the slabs

// malloc's second range of memory, which malloc uses from the first request on for which the heap has no room. NULL: not
// used yet, or the machine has none.
static char *more_begin, *more_end;

// The caller holds heap_lock.
static char *end_of_malloc_memory(void) {
    return more_begin ? more_end : slabs_begin;
}

// Lets malloc go on in the machine's second range if a request of `bytes` bytes fits there. The caller holds heap_lock.
static void use_second_range(size_t bytes) {
    size_t all;
    char *begin = skerry_more_memory ? skerry_more_memory(&all) : NULL;
    if (!begin || bytes > all) return;
    least_slab = malloc_end;
    more_begin = malloc_end = begin;
    more_end = begin + all;
}

// Moves the end of malloc's heap by a number of bytes, and returns the old end. malloc calls this function.
void *_sbrk(ptrdiff_t bytes);
void *_sbrk(ptrdiff_t bytes) {
    skerry_spin_take(&heap_lock);
    if (!more_begin && bytes > slabs_begin - malloc_end) use_second_range((size_t)bytes);
    char *before = malloc_end, *const begin = more_begin ? more_begin : skerry_heap_begin;
    const bool fits = bytes <= end_of_malloc_memory() - before && bytes >= begin - before;
    if (fits) malloc_end = before + bytes;
    skerry_spin_give(&heap_lock);
    if (fits) return before;
    errno = ENOMEM;
    return (void *)-1;
}

bool skerry_memory_is_left(size_t bytes) {
    skerry_spin_take(&heap_lock);
    const bool is_left = (size_t)(end_of_malloc_memory() - malloc_end) >= bytes;
    skerry_spin_give(&heap_lock);
    return is_left;
}

// -- Slabs -------------------------------------------------------------------------------------------------------------

static uint32_t class_of(size_t bytes) {
    if (bytes <= LEAST_BYTES) return 0;
    if (bytes <= 2 * LEAST_BYTES) return 1;
    return 1 + (uint32_t)((bytes + UNIT - 1) / UNIT);
}

static size_t bytes_of(uint32_t class) {
    return class < 2 ? LEAST_BYTES << class : (class - 1) * UNIT;
}

static bool add_slab(struct size_class *class) {
    skerry_spin_take(&heap_lock);
    const uintptr_t slab = ((uintptr_t)slabs_begin - SLAB_BYTES) & ~(SLAB_BYTES - 1);
    const uintptr_t least = (uintptr_t)(more_begin ? least_slab : malloc_end);
    const bool fits = slab >= least && slab < (uintptr_t)slabs_begin;
    if (fits) slabs_begin = (char *)slab;
    skerry_spin_give(&heap_lock);
    if (!fits) return false;
    *(uint32_t *)slab = (uint32_t)(class - classes);
    class->fresh = (char *)slab + SLAB_HEAD;
    class->fresh_end = (char *)slab + SLAB_BYTES;
    return true;
}

static void *take_small(uint32_t number) {
    struct size_class *class = &classes[number];
    const size_t bytes = bytes_of(number);
    skerry_spin_take(&class->lock);
    void *block = class->free;
    if (block) class->free = class->free->next;
    else if ((size_t)(class->fresh_end - class->fresh) >= bytes || add_slab(class)) {
        block = class->fresh;
        class->fresh += bytes;
    }
    skerry_spin_give(&class->lock);
    return block;
}

static void give_small(struct block *block) {
    struct size_class *class = &classes[*(uint32_t *)((uintptr_t)block & ~(SLAB_BYTES - 1))];
    skerry_spin_take(&class->lock);
    block->next = class->free;
    class->free = block;
    skerry_spin_give(&class->lock);
}

// -- What the contract names -------------------------------------------------------------------------------------------

// Blocks of a class are aligned to the greatest power of two that divides their size, at most UNIT. So this
// function increases a size below the alignment to the alignment. All other blocks are aligned to SKERRY_BANKS_BYTES.
void *skerry_memory_take(size_t bytes, size_t alignment) {
    if (bytes < alignment) bytes = alignment;
    if (alignment <= UNIT && bytes <= SMALL_BYTES) return take_small(class_of(bytes));
    return skerry_memory_take_large(bytes, alignment);
}

void *skerry_memory_take_large(size_t bytes, size_t alignment) {
    return memalign(alignment > SKERRY_BANKS_BYTES ? alignment : SKERRY_BANKS_BYTES, bytes);
}

// A block at or above `slabs_begin`, and in the heap, is in a slab, because all slabs lie above all memory of malloc there. The word can be
// read without the lock for two reasons:
// * Its value only decreases.
// * It was at or below a slab block's address before this block was taken.
void skerry_memory_give(void *memory) {
    if (!memory) return;
    const char *block = memory;
    if (block >= __atomic_load_n(&slabs_begin, __ATOMIC_RELAXED) && block < skerry_heap_end) give_small(memory);
    else free((void *)((uintptr_t)memory & ~(uintptr_t)(SKERRY_BANKS_BYTES - 1)));
}
