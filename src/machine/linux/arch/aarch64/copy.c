// SPDX-License-Identifier: BSD-3-Clause
// Implements contiguous copies by the C library's memmove. On this processor Skerry has no copy loops of its own, so
// skerry-tune has no loops to compare.
#include <string.h>

#include "../../pe/copy_choice.h"
#include "../../pe/internal.h"

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
