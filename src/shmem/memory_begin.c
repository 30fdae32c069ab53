// SPDX-License-Identifier: BSD-3-Clause
// Sets up this PE's symmetric heap when the library is initialised. Checks the heap for damage when the library is
// finalized.
#include "memory_internal.h"

struct heap skerry_symmetric_heap;

void skerry_memory_begin(void) {
    size_t bytes;
    void *memory = skerry_heap_memory(&bytes);
    // The heap needs the phase of its memory to align blocks: the distance in bytes from the previous multiple of 2^31
    // to the memory. 2^31 is larger than any alignment that a block can have. If the memory is too small for a block,
    // there is no heap: its base is NULL.
    size_t phase = (uintptr_t)memory & (((uintptr_t)1 << 31) - 1);
    if (!skerry_heap_init(&skerry_symmetric_heap, memory, bytes, phase)) skerry_symmetric_heap.base = 0;
}

void skerry_memory_end(void) {
    // Reports a write past the end of a block into the header of the next block. A free of one of the two blocks would
    // have examined this header. But the program possibly freed neither.
    if (HEAP_SEALED) skerry_refuse_heap_damage("shmem_finalize");
    skerry_job_note_heap(skerry_heap_peak(&skerry_symmetric_heap));
}
