// SPDX-License-Identifier: BSD-3-Clause
// Copies bytes by loads and stores of the core. An access must be aligned to its size, because an unaligned access is
// an exception. A store to another core does not wait, so a put is as fast as the loads from the core's own memory. A
// load from another core waits for its value, so a get is slow.
//
// The file that includes this header must be compiled so that the compiler does not replace a loop by a call of memcpy
// (-fno-tree-loop-distribute-patterns).
#ifndef SKERRY_MACHINE_RISCV_COPY_WORDS_H
#define SKERRY_MACHINE_RISCV_COPY_WORDS_H

#include "word.h"

typedef uint32_t __attribute__((may_alias)) skerry_single_word;

// Number of double words that the core loads before it stores the first of them. The loaded values have then arrived.
#define SKERRY_WORDS_AT_A_TIME 4

// Copies bytes until the destination is a multiple of `alignment`, which is a power of two.
static size_t skerry_copy_head(char **dest, const char **source, size_t bytes, size_t alignment) {
    for (; bytes > 0 && ((uintptr_t)*dest & (alignment - 1)) != 0; bytes--) *(*dest)++ = *(*source)++;
    return bytes;
}

static void skerry_copy_bytes(char *dest, const char *source, size_t bytes) {
    for (; bytes > 0; bytes--) *dest++ = *source++;
}

static void skerry_copy_double_words(char *dest, const char *source, size_t bytes) {
    bytes = skerry_copy_head(&dest, &source, bytes, sizeof(skerry_double_word));
    skerry_double_word *to = (skerry_double_word *)(void *)dest;
    const skerry_double_word *from = (const skerry_double_word *)(const void *)source;
    for (; bytes >= SKERRY_WORDS_AT_A_TIME * sizeof *to;
         bytes -= SKERRY_WORDS_AT_A_TIME * sizeof *to, to += SKERRY_WORDS_AT_A_TIME, from += SKERRY_WORDS_AT_A_TIME) {
        double a = from[0], b = from[1], c = from[2], d = from[3];
        to[0] = a, to[1] = b, to[2] = c, to[3] = d;
    }
    for (; bytes >= sizeof *to; bytes -= sizeof *to) *to++ = *from++;
    skerry_copy_bytes((char *)to, (const char *)from, bytes);
}

static void skerry_copy_words(char *dest, const char *source, size_t bytes) {
    bytes = skerry_copy_head(&dest, &source, bytes, sizeof(skerry_single_word));
    skerry_single_word *to = (skerry_single_word *)(void *)dest;
    const skerry_single_word *from = (const skerry_single_word *)(const void *)source;
    for (; bytes >= SKERRY_WORDS_AT_A_TIME * sizeof *to;
         bytes -= SKERRY_WORDS_AT_A_TIME * sizeof *to, to += SKERRY_WORDS_AT_A_TIME, from += SKERRY_WORDS_AT_A_TIME) {
        skerry_single_word a = from[0], b = from[1], c = from[2], d = from[3];
        to[0] = a, to[1] = b, to[2] = c, to[3] = d;
    }
    for (; bytes >= sizeof *to; bytes -= sizeof *to) *to++ = *from++;
    skerry_copy_bytes((char *)to, (const char *)from, bytes);
}

// Copies if source and destination have different offsets within a word. Makes each word of the destination from two
// words of the source. Loads only words that contain at least one byte of the source.
static void skerry_copy_shifted(char *dest, const char *source, size_t bytes) {
    bytes = skerry_copy_head(&dest, &source, bytes, sizeof(skerry_single_word));
    if (bytes >= sizeof(skerry_single_word)) {
        unsigned shift = ((uintptr_t)source & 3) * 8;
        const skerry_single_word *from = (const skerry_single_word *)((uintptr_t)source & ~(uintptr_t)3);
        skerry_single_word low = *from++;
        for (; bytes >= sizeof(skerry_single_word); bytes -= sizeof(skerry_single_word),
                                                    dest += sizeof(skerry_single_word),
                                                    source += sizeof(skerry_single_word)) {
            skerry_single_word high = *from++;
            *(skerry_single_word *)(void *)dest = low >> shift | high << (32 - shift);
            low = high;
        }
    }
    skerry_copy_bytes(dest, source, bytes);
}

static inline void skerry_copy_by_words(void *dest, const void *source, size_t bytes) {
    const uintptr_t difference = (uintptr_t)dest ^ (uintptr_t)source;
    if ((difference & (sizeof(skerry_double_word) - 1)) == 0) skerry_copy_double_words(dest, source, bytes);
    else if ((difference & (sizeof(skerry_single_word) - 1)) == 0) skerry_copy_words(dest, source, bytes);
    else skerry_copy_shifted(dest, source, bytes);
}

#endif
