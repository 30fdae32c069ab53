// SPDX-License-Identifier: BSD-3-Clause
// The cycles of operations between the first and the last cluster, each the least of some, and how many they may be
// (docs/design/mppa-machine.md).
// pes: 2 16
#include "test.h"

#define TIMES 20
#define STREAM 200

static uint64_t word;
static char here[65536], there[65536];
static int last;

static uint32_t now(void) {
    uint32_t cycles;
    __asm__ volatile("rdcycle %0" : "=r"(cycles));
    return cycles;
}

// Prints the least and the first of TIMES measurements, and compares the least with the largest number allowed.
#define MEASURE(NAME, MOST, ...)                                                                                       \
    do {                                                                                                               \
        uint32_t least = UINT32_MAX, first = 0;                                                                        \
        for (int i = 0; i < TIMES; i++) {                                                                              \
            const uint32_t began = now();                                                                              \
            __VA_ARGS__;                                                                                               \
            const uint32_t took = now() - began;                                                                       \
            if (took < least) least = took;                                                                            \
            if (i == 0) first = took;                                                                                  \
        }                                                                                                              \
        printf("%-34s %5u cycles, the first %u\n", NAME, (unsigned)least, (unsigned)first);                            \
        REQUIRE(least <= (MOST), NAME ": %u cycles, more than %u", (unsigned)least, (unsigned)(MOST));                 \
        shmem_quiet();                                                                                                 \
    } while (0)

static uint32_t stream_of_atomics(void) {
    const uint32_t began = now();
    for (int i = 0; i < STREAM; i++) shmem_uint64_atomic_add(&word, 1, last);
    shmem_quiet();
    return (now() - began) / STREAM;
}

static void measure(void) {
    uint64_t value = 0;
    MEASURE("get of 8 bytes", 550, shmem_getmem(&value, &word, 8, last));
    MEASURE("put of 8 bytes and quiet", 550, (shmem_putmem(&word, &value, 8, last), shmem_quiet()));
    MEASURE("p of 8 bytes", 100, shmem_uint64_p(&word, value, last));
    MEASURE("fetch-add of 32 bits", 550, shmem_uint32_atomic_fetch_add((uint32_t *)&word, 1, last));
    MEASURE("fetch-add of 64 bits", 550, shmem_uint64_atomic_fetch_add(&word, 1, last));
    MEASURE("posted atomic of 32 bits", 100, shmem_uint32_atomic_add((uint32_t *)&word, 1, last));
    MEASURE("posted atomic of 64 bits", 100, shmem_uint64_atomic_add(&word, 1, last));
    MEASURE("put of 64 KB and quiet", 18200, (shmem_putmem(there, here, sizeof here, last), shmem_quiet()));
    MEASURE("get of 64 KB", 18200, shmem_getmem(here, there, sizeof here, last));
    MEASURE("put of 64 strided blocks and quiet", 1800, (shmem_iput64(there, here, 2, 3, 64, last), shmem_quiet()));
    MEASURE("get of 64 strided blocks", 1800, shmem_iget64(here, there, 2, 3, 64, last));
    const uint32_t each = stream_of_atomics();
    printf("%-34s %5u cycles each\n", "posted atomics in a row", (unsigned)each);
    REQUIRE(each <= 260, "%u cycles for each of %d posted atomics", (unsigned)each, STREAM);
}

int main(void) {
    test_begin();
    last = shmem_n_pes() - 1;
    shmem_barrier_all();
    if (me == 0) measure();
    shmem_barrier_all();
    return test_end();
}
