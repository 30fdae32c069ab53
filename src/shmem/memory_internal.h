// SPDX-License-Identifier: BSD-3-Clause
// What set-up and the checks need of the symmetric heap.
#ifndef SKERRY_SHMEM_MEMORY_INTERNAL_H
#define SKERRY_SHMEM_MEMORY_INTERNAL_H

#include "../heap/heap.h"
#include "internal.h"

SKERRY_PRIVATE SKERRY_COLD void skerry_memory_begin(void);
SKERRY_PRIVATE SKERRY_COLD void skerry_memory_end(void);
extern SKERRY_PRIVATE bool skerry_heap_has_begun; // since the last initialisation; where SKERRY_HEAP_ON_DEMAND

extern SKERRY_PRIVATE struct heap skerry_symmetric_heap; // base NULL: none

// Ends the job if the heap's own words were overwritten, and names the block in front of them. Linear in the number of blocks. Only where
// HEAP_SEALED.
SKERRY_PRIVATE void skerry_refuse_heap_damage(const char *routine);

// With checks: the bytes to ask the heap for, so that a block of `bytes` bytes has guard words behind it; their first writing, where
// `block` is not NULL; and that `block`, an argument, is a block's start or NULL.
SKERRY_PRIVATE size_t skerry_check_padded(size_t bytes);
SKERRY_PRIVATE void skerry_check_guard(void *block, size_t bytes);
SKERRY_PRIVATE void skerry_check_block(const char *routine, const void *block);
extern SKERRY_PRIVATE const char *const skerry_heap_fault_texts[]; // by enum heap_fault; @ is the address

// The allocated block that `address` lies in, and how many bytes of it were asked for; NULL: in none. Only when checking.
SKERRY_PRIVATE const void *skerry_heap_block(const void *address, size_t *bytes);

#endif
