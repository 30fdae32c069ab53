// SPDX-License-Identifier: BSD-3-Clause
// putmem and getmem of every length up to 600 bytes, and of lengths around each power of two up to 16 MB, at every
// misalignment: each byte arrives and no other changes. Lengths choose among the machine's copies, so none may be left out.
// nodes: 1
#include "test.h"

#define SMALL_MAX TEST_SIZE(600, 140)
#define BIG_MAX ((size_t)TEST_SIZE(16 << 20, 4 << 10))
#define MARGIN 128

static unsigned char *area;   // remotely written
static unsigned char *buffer; // local side

static void require_content(const unsigned char *at, size_t bytes, uint64_t seed, const char *what, size_t place) {
    size_t wrong = test_first_wrong(at, bytes, seed);
    REQUIRE(wrong == bytes, "%s of %zu bytes at offset %zu: byte %zu is wrong", what, bytes, place, wrong);
    REQUIRE(test_all_guard(at - MARGIN, MARGIN) && test_all_guard(at + bytes, MARGIN),
            "%s of %zu bytes at offset %zu wrote beside its destination", what, bytes, place);
}

// PE `from` moves to and from PE `to`; only `from` works, the other looks at the end.
static void try_length(size_t bytes, size_t there, size_t here, int to) {
    unsigned char *source = buffer + MARGIN + here, *dest = area + MARGIN + there;
    uint64_t seed = bytes + there;
    test_fill(source, bytes, seed);
    memset(source - MARGIN, TEST_GUARD, MARGIN);
    memset(source + bytes, TEST_GUARD, MARGIN);
    unsigned char *remote = shmem_ptr(dest, to);
    memset(remote - MARGIN, TEST_GUARD, bytes + 2 * MARGIN);
    shmem_putmem(dest, source, bytes, to);
    shmem_quiet();
    require_content(remote, bytes, seed, "putmem", there);
    memset(source, 0, bytes);
    shmem_getmem(source, dest, bytes, to);
    require_content(source, bytes, seed, "getmem", here);
}

static void small_lengths(int to) {
    uint64_t random = (uint64_t)me;
    for (size_t bytes = 0; bytes <= SMALL_MAX; bytes++)
        for (int i = 0; i < 4; i++) try_length(bytes, test_below(&random, 64), test_below(&random, 64), to);
}

static void lengths_around(size_t power, int to) {
    uint64_t random = power;
    for (size_t bytes = power - 1; bytes <= power + 1; bytes++)
        try_length(bytes, test_below(&random, 65), test_below(&random, 65), to);
    try_length(power + power / 3, 0, 0, to);
    try_length(power, 1, 63, to);
}

int main(void) {
    test_begin();
    area = test_malloc(2 * BIG_MAX);
    buffer = test_malloc(2 * BIG_MAX); // symmetric only to be in fast memory on a chip
    REQUIRE(buffer, "no local memory");
    shmem_barrier_all();
    small_lengths(right_of(me));
    shmem_barrier_all();
    // One pair at a time from here: the sizes are those of caches.
    for (size_t power = 1024; power <= BIG_MAX / 2 && me == 0; power *= 2) lengths_around(power, pes - 1);
    if (me == 0) try_length(BIG_MAX, 0, 0, pes - 1);
    if (me == 0) try_length(BIG_MAX - 3, 5, 2, pes - 1);
    shmem_barrier_all();
    shmem_free(area);
    return test_end();
}
