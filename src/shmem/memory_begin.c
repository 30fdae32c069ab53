// SPDX-License-Identifier: BSD-3-Clause
// The symmetric heap of this PE, from an initialisation to its end.
#include "memory_internal.h"

struct heap skerry_symmetric_heap;

void skerry_memory_begin(void) {
    size_t bytes;
    void *memory = skerry_heap_memory(&bytes);
    // Counted from a multiple of more than any alignment that a block may want. A heap of no size has no blocks.
    size_t phase = (uintptr_t)memory & (((uintptr_t)1 << 31) - 1);
    if (!skerry_heap_init(&skerry_symmetric_heap, memory, bytes, phase)) skerry_symmetric_heap.base = 0;
}

void skerry_memory_end(void) {
    // An overrun between two blocks that stayed allocated: no routine has come upon it.
    if (HEAP_SEALED) skerry_refuse_heap_damage("shmem_finalize");
    skerry_job_note_heap(skerry_heap_peak(&skerry_symmetric_heap));
}
