// SPDX-License-Identifier: BSD-3-Clause
// Declares the parts of the symmetric heap that set-up and the checks use.
#ifndef SKERRY_SHMEM_MEMORY_INTERNAL_H
#define SKERRY_SHMEM_MEMORY_INTERNAL_H

#include "../heap/heap.h"
#include "internal.h"

SKERRY_PRIVATE SKERRY_COLD void skerry_memory_begin(void);
SKERRY_PRIVATE SKERRY_COLD void skerry_memory_end(void);
extern SKERRY_PRIVATE bool skerry_heap_has_begun; // true if the heap is set up; only with SKERRY_HEAP_ON_DEMAND

extern SKERRY_PRIVATE struct heap skerry_symmetric_heap; // its base is NULL if this PE has no heap

// Searches the heap for headers and links that the program has overwritten. If it finds any, it ends the job with an
// error message that names the block in front of them. The time of the search grows linearly with the number of blocks.
// Works only if HEAP_SEALED is 1: then the header of each block contains bits that reveal an overwrite.
SKERRY_PRIVATE void skerry_refuse_heap_damage(const char *routine);

// Guard bytes are bytes behind a block that the program must not write. These functions are used only if checks are on:
// - skerry_check_padded returns the number of bytes to ask the heap for, so that guard bytes fit behind `bytes` bytes.
// - skerry_check_guard writes the guard bytes of a new block. Nothing happens if `block` is NULL.
// - skerry_check_block checks that `block`, an argument of `routine`, is NULL or the start of a block.
SKERRY_PRIVATE size_t skerry_check_padded(size_t bytes);
SKERRY_PRIVATE void skerry_check_guard(void *block, size_t bytes);
SKERRY_PRIVATE void skerry_check_block(const char *routine, const void *block);
extern SKERRY_PRIVATE const char *const skerry_heap_fault_texts[]; // index: enum heap_fault; @ stands for the address

// Returns the allocated block that contains `address`, or NULL, and sets *bytes to the size that the program asked for.
// Called only if checks are switched on.
SKERRY_PRIVATE const void *skerry_heap_block(const void *address, size_t *bytes);

#endif
