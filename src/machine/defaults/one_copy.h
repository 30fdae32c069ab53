// SPDX-License-Identifier: BSD-3-Clause
// Defines copies of the contract for a machine on which skerry_copy is the best copy of every size. The machine's header
// declares skerry_copy and then includes this file.
#ifndef SKERRY_MACHINE_DEFAULTS_ONE_COPY_H
#define SKERRY_MACHINE_DEFAULTS_ONE_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

SKERRY_ALWAYS_INLINE void skerry_copy_one_of_many(void *dest, const void *source, size_t bytes, uint64_t all) {
    (void)all;
    skerry_copy(dest, source, bytes);
}

SKERRY_ALWAYS_INLINE bool skerry_copy_short(void *dest, const void *source, size_t bytes) {
    (void)dest;
    (void)source;
    (void)bytes;
    return false;
}

#endif
