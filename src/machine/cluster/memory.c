// SPDX-License-Identifier: BSD-3-Clause
// Allocates memory near a worker: memory that begins in the worker's bank. So the structs of the same type of two workers
// have the same word in different banks, and what each of them polls does not delay the others.
#include "internal.h"

#define BANK_BYTES 8

static void *take(size_t bytes, size_t alignment, int worker) {
    if (worker < 0 || alignment > BANK_BYTES) return skerry_memory_take(bytes, alignment);
    const size_t shift = (size_t)worker * BANK_BYTES % SKERRY_BANKS_BYTES;
    char *memory = bytes + shift > bytes || shift == 0 ? skerry_memory_take_large(bytes + shift, BANK_BYTES) : NULL;
    return memory ? memory + shift : NULL;
}

void *skerry_memory_take_near(size_t bytes, size_t alignment, int worker) {
    void *memory;
    while (!(memory = take(bytes, alignment, worker)) && worker >= 0 && skerry_free_some(worker)) {
    }
    return memory;
}
