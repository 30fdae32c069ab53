// SPDX-License-Identifier: BSD-3-Clause
// shmem_align with an alignment that the specification leaves undefined: a small power of two gives a block, what is no power of
// two gives NULL. On every PE, and the heap serves on.
// pes: 1 3
#include "test.h"

static const size_t powers[] = {1, 2, 4, 8, 16, 64};
static const size_t others[] = {0, 3, 6, 12, 24, 100, 4097, SIZE_MAX};

int main(void) {
    test_begin();
    for (size_t i = 0; i < sizeof powers / sizeof powers[0]; i++) {
        char *block = shmem_align(powers[i], 10);
        REQUIRE(block && (uintptr_t)block % powers[i] == 0, "alignment %zu: %p", powers[i], (void *)block);
        shmem_free(block);
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        REQUIRE(!shmem_align(others[i], 10), "alignment %zu gave a block", others[i]);
    void *after = shmem_malloc(10);
    REQUIRE(after, "nothing left");
    shmem_free(after);
    return test_end();
}
