// SPDX-License-Identifier: BSD-3-Clause
// Linked to a program with --wrap of the routines below: says at its end how many bytes of the symmetric heap the program's
// blocks took, up to the end of the one that lay highest. For large.py.
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>

extern char heap_begin[] __asm__("_skerry_heap_begin");
static uintptr_t highest;

static void *noted(void *block, size_t bytes) {
    if (block && (uintptr_t)block + bytes > highest) highest = (uintptr_t)block + bytes;
    return block;
}

void *__real_shmem_malloc(size_t bytes);
void *__wrap_shmem_malloc(size_t bytes) {
    return noted(__real_shmem_malloc(bytes), bytes);
}

void *__real_shmem_calloc(size_t count, size_t bytes);
void *__wrap_shmem_calloc(size_t count, size_t bytes) {
    return noted(__real_shmem_calloc(count, bytes), count * bytes);
}

void *__real_shmem_align(size_t alignment, size_t bytes);
void *__wrap_shmem_align(size_t alignment, size_t bytes) {
    return noted(__real_shmem_align(alignment, bytes), bytes);
}

void *__real_shmem_realloc(void *block, size_t bytes);
void *__wrap_shmem_realloc(void *block, size_t bytes) {
    return noted(__real_shmem_realloc(block, bytes), bytes);
}

void __real_shmem_finalize(void);
void __wrap_shmem_finalize(void) {
    if (shmem_my_pe() == 0) printf("heap %lu\n", highest ? (unsigned long)(highest - (uintptr_t)heap_begin) : 0);
    __real_shmem_finalize();
}
