// SPDX-License-Identifier: BSD-3-Clause
// The heap in memory that no PE owns: one for all PEs and models.
#ifndef SKERRY_PRIMITIVE_SHARED_HEAP_H
#define SKERRY_PRIMITIVE_SHARED_HEAP_H

#include "../heap/heap.h"
#include "../machine/machine.h"

// At the end of each PE's system memory.
struct skerry_shared_heap_words {
    _Alignas(SKERRY_AREA_ALIGNMENT) long lock;
    long formed; // on PE 0: the heap was made
#if SKERRY_THREADS
    uint64_t gate; // of this PE: a thread is inside
#endif
};

// NULL: there is no room.
SKERRY_PRIVATE SKERRY_COLD void *skerry_shared_allocate(size_t bytes);
SKERRY_PRIVATE SKERRY_COLD enum heap_fault skerry_shared_release(void *block);

#endif
