// SPDX-License-Identifier: BSD-3-Clause
// Implements the contract's copies by loads and stores of the core.
#pragma GCC optimize "O2"
#include "internal.h"

#include "copy_words.h"

void skerry_copy(void *dest, const void *source, size_t bytes) {
    skerry_compiler_fence();
    skerry_copy_by_words(dest, source, bytes);
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
