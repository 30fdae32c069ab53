// SPDX-License-Identifier: BSD-3-Clause
// Initialises a small heap (small.c). The function runs only once. The function has a file of its own, so that a
// machine can place it in slower memory than the rest.
#include "heap.h"

bool skerry_heap_init(struct heap *heap, void *base, size_t bytes, size_t phase) {
    size_t first = (0 - phase) & (HEAP_UNIT - 1);
    if (base == NULL || bytes < first + 2 * HEAP_UNIT || bytes >= SIZE_MAX / 2) return false;
    if ((((uintptr_t)base - phase) & (HEAP_UNIT - 1)) != 0) return false;
    heap->base = base;
    heap->phase = phase;
    heap->first = first;
    heap->end = first + ((bytes - first) & ~(HEAP_UNIT - 1));
    heap->blocks = 0;
    return true;
}
