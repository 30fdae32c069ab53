// SPDX-License-Identifier: BSD-3-Clause
// 16 clusters get from a segment in the DDR of an I/O node at the same time, by all four links of this node. By one link the
// gets would take 280,000 cycles.
// pes: 17
// oshrun: --io-node
#include <aos.h>
#include <stdlib.h>

#include "test.h"

enum { bytes = 8192, turns = 8, cycles_most = 90000 };

static uint32_t buffer[bytes / sizeof(uint32_t)];
static long mine, slowest;

#define OK(call) REQUIRE((call) == AOS_SUCCESS, "%s failed", #call)

static inline uint32_t now(void) {
    uint32_t cycles;
    __asm__ volatile("rdcycle %0" : "=r"(cycles)::"memory");
    return cycles;
}

int main(void) {
    test_begin();
    OK(aos_init(0));
    aos_segment_t ddr;
    const size_t all = (size_t)pes * bytes;
    if (me == 0) {
        uint32_t *memory = malloc(4 << 20); // more than the heap has, so it is in DDR
        REQUIRE(memory, "no memory");
        for (size_t i = 0; i < all / sizeof *memory; i++) memory[i] = (uint32_t)i;
        OK(aos_segment_create(&ddr, 1, memory, all, NULL));
    } else {
        OK(aos_segment_clone(&ddr, 1, 0));
    }
    shmem_barrier_all();
    const uint32_t begin = now();
    for (int k = 0; me > 0 && k < turns; k++) OK(aos_get(buffer, &ddr, (uint64_t)me * bytes, bytes, NULL));
    mine = me > 0 ? (long)(now() - begin) : 0;
    for (unsigned i = 0; me > 0 && i < bytes / sizeof *buffer; i++)
        REQUIRE(buffer[i] == (uint32_t)me * (bytes / sizeof *buffer) + i, "word %u is %u", i, (unsigned)buffer[i]);
    shmem_max_reduce(SHMEM_TEAM_WORLD, &slowest, &mine, 1);
    REQUIRE(slowest <= cycles_most, "the slowest cluster took %ld cycles", slowest);
    OK(aos_finalize());
    return test_end();
}
