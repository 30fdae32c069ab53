// SPDX-License-Identifier: BSD-3-Clause
// A large heap costs memory only where it is used, also if PEs of other nodes put to parts of it and get from others. A
// network that writes memory by itself pins it. It must pin the parts that are used, and not the whole heap.
// pes: 2 4
// oshrun: --heap 8g
// ways: 4:2:remote
// skip: epiphany asan tsan ubsan aarch64 (they count other memory)
#include "test.h"

#define HEAP ((size_t)8 << 30)
#define PLACES 3
#define BYTES ((size_t)1 << 20)
#define MB_MAX 400L // of all PEs of a node: PLACES puts and gets to each of up to 4 PEs, each up to 2 pieces of 16 MB

// Returns the megabytes of shared memory that this PE has touched or pinned, for itself and for other PEs of its node.
static long shared_megabytes(void) {
    FILE *file = fopen("/proc/self/status", "r");
    char line[200];
    long kilobytes = -1;
    REQUIRE(file, "no /proc/self/status");
    while (fgets(line, sizeof line, file)) sscanf(line, "RssShmem: %ld kB", &kilobytes);
    fclose(file);
    REQUIRE(kilobytes >= 0, "no line RssShmem in /proc/self/status");
    return kilobytes >> 10;
}

int main(void) {
    test_begin();
    unsigned char *heap = test_malloc(HEAP - ((size_t)64 << 20));
    static unsigned char block[BYTES];
    const int to = (me + pes / 2) % pes;
    shmem_barrier_all();
    REQUIRE(shared_megabytes() < MB_MAX, "before the puts a PE has %ld MB", shared_megabytes());
    for (size_t i = 0; i < PLACES; i++) {
        unsigned char *place = heap + (i + 1) * (HEAP / (PLACES + 2));
        memset(block, (int)(1 + me + (int)i), BYTES);
        shmem_putmem(place, block, BYTES, to);
        shmem_quiet();
        memset(block, 0, BYTES);
        shmem_getmem(block, place, BYTES, to);
        REQUIRE(block[BYTES - 1] == (unsigned char)(1 + me + (int)i), "the last byte of place %zu is wrong", i);
    }
    shmem_barrier_all();
    REQUIRE(shared_megabytes() < MB_MAX, "after puts of %zu MB to each PE, a PE has %ld MB of shared memory",
            PLACES * BYTES >> 20, shared_megabytes());
    shmem_barrier_all();
    return test_end();
}
