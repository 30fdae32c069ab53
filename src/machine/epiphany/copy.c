// SPDX-License-Identifier: BSD-3-Clause
// Copies between this core's memory and others'.
#include "internal.h"

void skerry_copy(void *dest, const void *source, size_t bytes) {
    char *to = dest;
    const char *from = source;
    if ((((uintptr_t)to | (uintptr_t)from) & 7) == 0) {
        for (; bytes >= 8; bytes -= 8, to += 8, from += 8)
            *(volatile uint64_t *)(void *)to = *(const volatile uint64_t *)(const void *)from;
    } else if ((((uintptr_t)to | (uintptr_t)from) & 3) == 0) {
        for (; bytes >= 4; bytes -= 4, to += 4, from += 4)
            *(volatile uint32_t *)(void *)to = *(const volatile uint32_t *)(const void *)from;
    }
    for (; bytes; bytes--) *(volatile char *)to++ = *(const volatile char *)from++;
}

void skerry_put(void *dest, const void *source, size_t bytes, int pe) {
    skerry_note_written(pe);
    skerry_copy(skerry_global(dest, pe), source, bytes);
}

void skerry_get(void *dest, const void *source, size_t bytes, int pe) {
    skerry_copy(dest, skerry_global(source, pe), bytes);
}

void skerry_put_nbi(void *dest, const void *source, size_t bytes, int pe) {
    skerry_put(dest, source, bytes, pe);
}

void skerry_get_nbi(void *dest, const void *source, size_t bytes, int pe) {
    skerry_get(dest, source, bytes, pe);
}

static void copy_strided(char *dest, const char *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                         size_t block_bytes, size_t blocks) {
    for (; blocks; blocks--, dest += dest_stride, source += source_stride) skerry_copy(dest, source, block_bytes);
}

void skerry_put_strided(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                        size_t block_bytes, size_t blocks, int pe) {
    skerry_note_written(pe);
    copy_strided(skerry_global(dest, pe), source, dest_stride, source_stride, block_bytes, blocks);
}

void skerry_get_strided(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                        size_t block_bytes, size_t blocks, int pe) {
    copy_strided(dest, skerry_global(source, pe), dest_stride, source_stride, block_bytes, blocks);
}
