// SPDX-License-Identifier: BSD-3-Clause
// Memory that no PE owns: one heap for all PEs, its own words in that memory too, under a lock whose home is PE 0. Who holds
// the lock owns the heap; giving it back completes this PE's stores first, so that the next one sees them.
#include "../heap/heap.h"
#include "../primitive/lock.h"
#include "collective.h"
#include "internal.h"

#include <shmemx.h>

static struct skerry_shared_heap_words *words(void) {
    size_t bytes;
    char *memory = skerry_system_memory(&bytes);
    return (struct skerry_shared_heap_words *)(void *)(memory + bytes - SKERRY_TAIL_BYTES);
}

static struct heap *enter(const char *routine, size_t *bytes) {
    if (skerry_library.initializations == 0) skerry_fail(routine, skerry_not_running());
    struct heap *heap = skerry_shared_memory(bytes);
    if (*bytes <= sizeof *heap) return 0;
    if (!skerry_lock_take(&words()->lock)) skerry_lock_await(&words()->lock);
    if (!skerry_get_value(long, &words()->formed, 0)) {
        size_t own = (sizeof *heap + 63) / 64 * 64;
        skerry_heap_init(heap, (char *)heap + own, *bytes - own, 0);
        skerry_put_value(long, &words()->formed, 1, 0);
    }
    return heap;
}

static void leave(void) {
    skerry_quiet();
    if (!skerry_lock_drop(&words()->lock)) skerry_lock_hand_over(&words()->lock);
}

void *shmemx_shared_malloc(size_t size) {
    size_t bytes;
    struct heap *heap = size ? enter(__func__, &bytes) : 0;
    if (!heap) return 0;
    void *block = skerry_heap_allocate(heap, size, 0);
    leave();
    return block;
}

void shmemx_shared_free(void *ptr) {
    size_t bytes;
    if (!ptr) return;
    struct heap *heap = enter(__func__, &bytes);
    enum heap_fault fault = heap ? skerry_heap_free(heap, ptr) : HEAP_FAULT_OUTSIDE;
    if (heap) leave();
    if (fault != HEAP_FAULT_NONE)
        skerry_fail_values(__func__, "ptr @ is not the start of a live block", (long[]){(long)(uintptr_t)ptr}, 1);
}
