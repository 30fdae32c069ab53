// SPDX-License-Identifier: BSD-3-Clause
// Blocks go with the call by value: the caller may change its own at once, when nothing waits for the reply, and the function
// sees the bytes as they were.
#include "rpc.h"

static const size_t sizes[] = {0, 1, 7, 63, 64, 65, 500, SHMEMX_RPC_BLOCK_BYTES - 1, SHMEMX_RPC_BLOCK_BYTES};

static long totals[2]; // right ones, wrong ones

static size_t take(long *at, const void *block, size_t bytes, float seed) {
    bool right = test_first_wrong(block, bytes, (uint64_t)seed) == bytes;
    add_to(at + (right ? 0 : 1), 1);
    return bytes;
}
RPC_BLOCK(take)

static void send_size(int pe, size_t bytes) {
    unsigned char block[SHMEMX_RPC_BLOCK_BYTES];
    long *at = address_at(totals, pe);
    unsigned seed = (unsigned)me * 131 + (unsigned)bytes;
    test_fill(block, bytes, seed);
    REQUIRE(take_rpc(at, block, bytes, (float)seed) == bytes, "result");
    shmemx_rpc_post(take, at, block, bytes, (float)seed);
    memset(block, 0xEE, sizeof block);
    test_fill(block, bytes, seed + 1);
    shmemx_rpc_event_t event = shmemx_rpc_async(take, at, block, bytes, (float)(seed + 1));
    memset(block, 0xEE, sizeof block);
    size_t result = 1;
    shmemx_rpc_wait(&event, &result);
    REQUIRE(result == bytes, "%zu bytes, not %zu", result, bytes);
}

int main(void) {
    test_begin();
    shmemx_rpc_when_full(SHMEMX_RPC_WAIT);
    for (size_t i = 0; i < TEST_COUNT(sizes); i++)
        for (int pe = 0; pe < pes; pe++) send_size((me + pe) % pes, sizes[i]);
    // After each posted call there was one that was waited for.
    shmem_barrier_all();
    long calls = 3 * (long)TEST_COUNT(sizes) * pes;
    REQUIRE(totals[0] == calls && totals[1] == 0, "%ld right and %ld wrong of %ld", totals[0], totals[1], calls);
    return test_end();
}
