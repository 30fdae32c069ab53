// SPDX-License-Identifier: BSD-3-Clause
// Implements the operations of the example machine that are not inlined. Uses the C library and POSIX's clock.
#include "../machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define HEAP_BYTES (256u << 20)
#define SYSTEM_BYTES (16u << 20)
#define SHARED_BYTES (1u << 20)
#define PAGE 4096

// These arrays take little memory, because the operating system gives a page memory only at the program's first write
// to the page.
static _Alignas(PAGE) char heap[HEAP_BYTES];
static _Alignas(PAGE) char system_memory[SYSTEM_BYTES];
static _Alignas(PAGE) char shared[SHARED_BYTES];

// The linker defines these symbols: the bounds of the program's static data, which includes the arrays above.
extern char __data_start[], _end[];

// An ELF note in the program's file. The note names the machine, so that oshrun without --machine refuses the program.
__attribute__((section(".note.skerry"), used, aligned(4))) static const struct {
    uint32_t name_bytes, text_bytes, type;
    char name[8];
    char text[32];
} note = {7, 32, 2, "Skerry", "example"};

void *skerry_heap_memory(size_t *bytes) {
    *bytes = sizeof heap;
    return heap;
}

void *skerry_system_memory(size_t *bytes) {
    *bytes = sizeof system_memory;
    return system_memory;
}

void *skerry_shared_memory(size_t *bytes) {
    *bytes = sizeof shared;
    return shared;
}

static bool lies_in(uintptr_t at, size_t bytes, const char *begin, size_t length) {
    uintptr_t offset = at - (uintptr_t)begin;
    return offset < length && bytes <= length - offset;
}

bool skerry_is_symmetric(const volatile void *address, size_t bytes) {
    uintptr_t at = (uintptr_t)address;
    if (lies_in(at, 1, system_memory, sizeof system_memory) || lies_in(at, 1, shared, sizeof shared)) return false;
    return lies_in(at, bytes, __data_start, (size_t)(_end - __data_start));
}

// Copies `bytes` bytes. For 0 bytes an address can be a null pointer, which memcpy does not allow. So the function does
// not call memcpy for 0 bytes.
void skerry_copy(void *dest, const void *source, size_t bytes) {
    if (bytes > 0 && dest != source) memcpy(dest, source, bytes);
}

static void copy_strided(char *dest, const char *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                         size_t block_bytes, size_t blocks) {
    for (; blocks > 0; blocks--, dest += dest_stride, source += source_stride) skerry_copy(dest, source, block_bytes);
}

void skerry_put_strided(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                        size_t block_bytes, size_t blocks, int pe) {
    (void)pe;
    copy_strided(dest, source, dest_stride, source_stride, block_bytes, blocks);
}

void skerry_get_strided(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                        size_t block_bytes, size_t blocks, int pe) {
    (void)pe;
    copy_strided(dest, source, dest_stride, source_stride, block_bytes, blocks);
}

uint64_t skerry_ticks(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void skerry_at_exit(void (*function)(void)) {
    atexit(function);
}

void skerry_job_exit(int status) {
    exit(status);
}

void skerry_fail_values(const char *routine, const char *text, const long *values, int count) {
    fflush(stdout);
    fprintf(stderr, "skerry: PE 0: %s: ", routine);
    for (; *text; text++) {
        if (*text == '#' && count-- > 0) fprintf(stderr, "%ld", *values++);
        else if (*text == '@' && count-- > 0) fprintf(stderr, "%#lx", (unsigned long)*values++);
        else fputc(*text, stderr);
    }
    fputc('\n', stderr);
    _Exit(1);
}

void skerry_fail(const char *routine, const char *text) {
    skerry_fail_values(routine, text, NULL, 0);
}

void skerry_pause(struct skerry_pause *pause, int owner) {
    (void)pause;
    (void)owner;
    skerry_fail("wait", "the word does not have the value that this PE waits for, and no other PE can change it");
}
