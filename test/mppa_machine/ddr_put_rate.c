// SPDX-License-Identifier: BSD-3-Clause
// 16 clusters put to a segment in the DDR of an I/O node at the same time, by all four links of this node. By one link the
// puts would take 280,000 cycles. Behind its puts, each cluster posts additions to a word of the I/O node, which sees the data
// when it sees their sum.
// pes: 17
// oshrun: --io-node
#include <aos.h>
#include <stdlib.h>

#include "test.h"

enum { bytes = 8192, turns = 8, cycles_most = 90000 };

static uint32_t buffer[bytes / sizeof(uint32_t)];
static long mine, slowest, arrived;

#define OK(call) REQUIRE((call) == AOS_SUCCESS, "%s failed", #call)

static inline uint32_t now(void) {
    uint32_t cycles;
    __asm__ volatile("rdcycle %0" : "=r"(cycles)::"memory");
    return cycles;
}

static uint32_t value_of(uint32_t pe, uint32_t turn, uint32_t word) {
    return pe << 24 | turn << 16 | word;
}

// Returns the first of some words of the DDR that is not what its cluster has put, or at least `all`.
static size_t first_wrong(const uint32_t *memory, size_t all) {
    const size_t words = bytes / sizeof *memory;
    size_t i = 0;
    while (i < all && memory[i] == value_of((uint32_t)(1 + i / words / turns), (uint32_t)(i / words % turns),
                                            (uint32_t)(i % words)))
        i += 5;
    return i;
}

int main(void) {
    test_begin();
    OK(aos_init(0));
    aos_segment_t ddr;
    const size_t all = (size_t)(pes - 1) * turns * bytes;
    uint32_t *memory = NULL;
    if (me == 0) {
        memory = malloc(all); // more than the heap has, so it is in DDR
        REQUIRE(memory, "no memory");
        OK(aos_segment_create(&ddr, 1, memory, all, NULL));
    } else {
        OK(aos_segment_clone(&ddr, 1, 0));
    }
    shmem_barrier_all();
    for (uint32_t turn = 0; me > 0 && turn < turns; turn++) {
        for (uint32_t i = 0; i < bytes / sizeof *buffer; i++) buffer[i] = value_of((uint32_t)me, turn, i);
        const uint32_t begin = now();
        OK(aos_put(buffer, &ddr, ((uint64_t)(me - 1) * turns + turn) * bytes, bytes, NULL));
        OK(aos_fence(&ddr, NULL));
        shmem_long_atomic_inc(&arrived, 0);
        mine += (long)(now() - begin);
    }
    if (me == 0) {
        shmem_long_wait_until(&arrived, SHMEM_CMP_EQ, (long)(pes - 1) * turns);
        const size_t wrong = first_wrong(memory, all / sizeof *memory);
        REQUIRE(wrong >= all / sizeof *memory, "word %u is %x", (unsigned)wrong, (unsigned)memory[wrong]);
    }
    shmem_max_reduce(SHMEM_TEAM_WORLD, &slowest, &mine, 1);
    REQUIRE(slowest <= cycles_most, "the slowest cluster took %ld cycles", slowest);
    OK(aos_finalize());
    return test_end();
}
