// SPDX-License-Identifier: BSD-3-Clause
// Allocates and frees memory that belongs to no PE and has the same address in every PE.
#include "../primitive/shared_heap.h"
#include "internal.h"

#include <shmemx.h>

static void require_running(const char *routine) {
    if (skerry_library.initializations == 0) skerry_fail(routine, skerry_not_running());
}

void *shmemx_shared_malloc(size_t size) {
    if (size) require_running(__func__);
    return skerry_shared_allocate(size);
}

void shmemx_shared_free(void *ptr) {
    if (!ptr) return;
    require_running(__func__);
    if (skerry_shared_release(ptr) != HEAP_FAULT_NONE)
        skerry_fail_values(__func__, "ptr @: must be the address of an allocated block", (long[]){(long)(uintptr_t)ptr},
                           1);
}
