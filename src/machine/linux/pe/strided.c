// SPDX-License-Identifier: BSD-3-Clause
// Implements strided copies: copies of blocks of equal size that are a fixed distance apart. ../arch has the contiguous
// copies.
#include "internal.h"

// Copies all blocks through a register, for blocks that have the size of TYPE. Then returns from the function that uses
// the macro.
#define SKERRY_COPY_ELEMENTS(TYPE)                                                                                     \
    do {                                                                                                               \
        for (size_t i = 0; i < blocks; i++) {                                                                          \
            TYPE element;                                                                                              \
            __builtin_memcpy(&element, from, sizeof element);                                                          \
            __builtin_memcpy(to, &element, sizeof element);                                                            \
            from += source_stride;                                                                                     \
            to += dest_stride;                                                                                         \
        }                                                                                                              \
        return;                                                                                                        \
    } while (0)

void skerry_copy_strided(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                         size_t block_bytes, size_t blocks) {
    char *to = dest;
    const char *from = source;
    if (dest_stride == source_stride && (size_t)dest_stride == block_bytes) {
        skerry_copy_bytes(to, from, block_bytes * blocks);
        return;
    }
    switch (block_bytes) {
    case 1: SKERRY_COPY_ELEMENTS(uint8_t);
    case 2: SKERRY_COPY_ELEMENTS(uint16_t);
    case 4: SKERRY_COPY_ELEMENTS(uint32_t);
    case 8: SKERRY_COPY_ELEMENTS(uint64_t);
    default: break;
    }
    for (size_t i = 0; i < blocks; i++) {
        skerry_copy_bytes(to, from, block_bytes);
        from += source_stride;
        to += dest_stride;
    }
}
