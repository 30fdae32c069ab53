// SPDX-License-Identifier: BSD-3-Clause
// Returns the memory that all PEs of a node share. Each PE is a node, so it is memory of this PE. Only programs that
// allocate such memory (aos_malloc, shmemx_shared_malloc) contain it.
#include "../machine.h"

#define BYTES 0x20000

static _Alignas(64) char memory[BYTES];

void *skerry_shared_memory(size_t *bytes) {
    *bytes = sizeof memory;
    return skerry_global(memory, skerry_my_pe());
}
