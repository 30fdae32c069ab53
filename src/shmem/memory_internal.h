// SPDX-License-Identifier: BSD-3-Clause
// What set-up and the checks need of the symmetric heap.
#ifndef SKERRY_SHMEM_MEMORY_INTERNAL_H
#define SKERRY_SHMEM_MEMORY_INTERNAL_H

#include "internal.h"

SKERRY_PRIVATE void skerry_memory_begin(void);
SKERRY_PRIVATE void skerry_memory_end(void);
extern SKERRY_PRIVATE bool skerry_heap_has_begun; // since the last initialisation; where SKERRY_HEAP_ON_DEMAND

// The allocated block that `address` lies in, and how many bytes of it were asked for; NULL: in none. Only when checking.
SKERRY_PRIVATE const void *skerry_heap_block(const void *address, size_t *bytes);

#endif
