// SPDX-License-Identifier: BSD-3-Clause
// Blocks at regular distances.
#include "internal.h"

static void copy_strided(char *dest, const char *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                         size_t block_bytes, size_t blocks) {
    for (; blocks; blocks--, dest += dest_stride, source += source_stride) skerry_copy(dest, source, block_bytes);
}

void skerry_put_strided(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                        size_t block_bytes, size_t blocks, int pe) {
    copy_strided(skerry_global(dest, pe), source, dest_stride, source_stride, block_bytes, blocks);
    skerry_note_written(pe);
}

void skerry_get_strided(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                        size_t block_bytes, size_t blocks, int pe) {
    copy_strided(dest, skerry_global(source, pe), dest_stride, source_stride, block_bytes, blocks);
}
