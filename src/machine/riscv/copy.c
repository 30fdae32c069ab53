// SPDX-License-Identifier: BSD-3-Clause
// Copies bytes by loads and stores of the core. An access must be aligned to its size, because an unaligned access is
// an exception. A store to another core does not wait, so a put is as fast as the loads from the core's own memory. A
// load from another core waits for its value, so a get is slow.
#pragma GCC optimize "O2"
#include "internal.h"

typedef uint32_t __attribute__((may_alias)) word;

#define LARGEST_WORD 8
// Number of double words that the core loads before it stores the first of them. The loaded values have then arrived.
#define AT_A_TIME 4

// Copies bytes until the destination is a multiple of `alignment`, which is a power of two.
static size_t copy_head(char **dest, const char **source, size_t bytes, size_t alignment) {
    for (; bytes > 0 && ((uintptr_t)*dest & (alignment - 1)) != 0; bytes--) *(*dest)++ = *(*source)++;
    return bytes;
}

static void copy_bytes(char *dest, const char *source, size_t bytes) {
    for (; bytes > 0; bytes--) *dest++ = *source++;
}

static void copy_double_words(char *dest, const char *source, size_t bytes) {
    bytes = copy_head(&dest, &source, bytes, LARGEST_WORD);
    skerry_double_word *to = (skerry_double_word *)(void *)dest;
    const skerry_double_word *from = (const skerry_double_word *)(const void *)source;
    for (; bytes >= AT_A_TIME * sizeof *to; bytes -= AT_A_TIME * sizeof *to, to += AT_A_TIME, from += AT_A_TIME) {
        double a = from[0], b = from[1], c = from[2], d = from[3];
        to[0] = a, to[1] = b, to[2] = c, to[3] = d;
    }
    for (; bytes >= sizeof *to; bytes -= sizeof *to) *to++ = *from++;
    copy_bytes((char *)to, (const char *)from, bytes);
}

static void copy_words(char *dest, const char *source, size_t bytes) {
    bytes = copy_head(&dest, &source, bytes, sizeof(word));
    word *to = (word *)(void *)dest;
    const word *from = (const word *)(const void *)source;
    for (; bytes >= AT_A_TIME * sizeof *to; bytes -= AT_A_TIME * sizeof *to, to += AT_A_TIME, from += AT_A_TIME) {
        word a = from[0], b = from[1], c = from[2], d = from[3];
        to[0] = a, to[1] = b, to[2] = c, to[3] = d;
    }
    for (; bytes >= sizeof *to; bytes -= sizeof *to) *to++ = *from++;
    copy_bytes((char *)to, (const char *)from, bytes);
}

// Copies if source and destination have different offsets within a word. Makes each word of the destination from two
// words of the source. Loads only words that contain at least one byte of the source.
static void copy_shifted(char *dest, const char *source, size_t bytes) {
    bytes = copy_head(&dest, &source, bytes, sizeof(word));
    if (bytes >= sizeof(word)) {
        unsigned shift = ((uintptr_t)source & 3) * 8;
        const word *from = (const word *)((uintptr_t)source & ~(uintptr_t)3);
        word low = *from++;
        for (; bytes >= sizeof(word); bytes -= sizeof(word), dest += sizeof(word), source += sizeof(word)) {
            word high = *from++;
            *(word *)(void *)dest = low >> shift | high << (32 - shift);
            low = high;
        }
    }
    copy_bytes(dest, source, bytes);
}

void skerry_copy(void *dest, const void *source, size_t bytes) {
    uintptr_t difference = (uintptr_t)dest ^ (uintptr_t)source;
    skerry_compiler_fence();
    if ((difference & (LARGEST_WORD - 1)) == 0) copy_double_words(dest, source, bytes);
    else if ((difference & (sizeof(word) - 1)) == 0) copy_words(dest, source, bytes);
    else copy_shifted(dest, source, bytes);
    skerry_compiler_fence();
}

static void copy_strided(char *dest, const char *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                         size_t block_bytes, size_t blocks) {
    for (; blocks > 0; blocks--, dest += dest_stride, source += source_stride) skerry_copy(dest, source, block_bytes);
}

void skerry_put_strided(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                        size_t block_bytes, size_t blocks, int pe) {
    copy_strided(skerry_global(dest, pe), source, dest_stride, source_stride, block_bytes, blocks);
}

void skerry_get_strided(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                        size_t block_bytes, size_t blocks, int pe) {
    copy_strided(dest, skerry_global(source, pe), dest_stride, source_stride, block_bytes, blocks);
}
