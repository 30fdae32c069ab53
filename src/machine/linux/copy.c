// SPDX-License-Identifier: BSD-3-Clause
// Implements strided copies, and contiguous copies for processors without copies of their own in arch/.
#include <string.h>

#include "copy_choice.h"
#include "internal.h"

#if !defined(__x86_64__)
void skerry_copy_bytes(void *dest, const void *source, size_t bytes) {
    memmove(dest, source, bytes);
}

void skerry_copy_one_of_many(void *dest, const void *source, size_t bytes, uint64_t all) {
    (void)all;
    skerry_copy_bytes(dest, source, bytes);
}

bool skerry_copy_use(const struct skerry_copy_choice *choice) {
    return choice->loop[0] == 0;
}

const char *skerry_copy_loop(unsigned index) {
    (void)index;
    return NULL;
}

void skerry_copy_guess(struct skerry_copy_choice *choice) {
    *choice = (struct skerry_copy_choice){.stream_from = UINT64_MAX, .cache_bytes = UINT64_MAX};
}

bool skerry_copy_named(const char *name, struct skerry_copy_choice *choice) {
    (void)name;
    (void)choice;
    return false;
}
#endif

// Copies all blocks if each of them is one element of TYPE, through a register, and returns from the calling function.
// Blocks that are not of 1, 2, 4 or 8 bytes are copied by the contiguous copy.
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
