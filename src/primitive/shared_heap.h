// SPDX-License-Identifier: BSD-3-Clause
// Declares the heap in memory that no PE owns. All PEs of a node and all programming models use this one heap.
#ifndef SKERRY_PRIMITIVE_SHARED_HEAP_H
#define SKERRY_PRIMITIVE_SHARED_HEAP_H

#include "../config/config.h"
#include "../heap/heap.h"

// The words that protect the shared heap. These words lie at the end of each PE's system memory (skerry_system_memory).
struct skerry_shared_heap_words {
    _Alignas(SKERRY_AREA_ALIGNMENT) long lock;
    long formed; // first PE of a node only: 1 if the node's heap has been initialised
#if SKERRY_THREADS
    uint64_t gate; // 1 while a thread of this PE uses the heap
#endif
};

// Allocates `bytes` bytes that no PE owns. Returns NULL if there is not enough memory, or if `bytes` is 0.
SKERRY_PRIVATE SKERRY_COLD void *skerry_shared_allocate(size_t bytes);
// Frees a block. Returns HEAP_FAULT_NONE, or the reason why the block cannot be freed.
SKERRY_PRIVATE SKERRY_COLD enum heap_fault skerry_shared_release(void *block);

#endif
