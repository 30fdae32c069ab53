// SPDX-License-Identifier: BSD-3-Clause
// A call to a team runs once on each of its PEs, on its own memory, and the results come in the team's order.
// ways: 64:4:tcp
#include "rpc.h"

static long numbers[3];

static double twice(long *at, double by) {
    add_to(at + 1, 1);
    return 2.0 * (double)*localize(at) + by;
}
RPC(twice)

static void touch(long *at) {
    add_to(at + 2, 1);
}
RPC(touch)

int main(void) {
    test_begin();
    numbers[0] = 10L * me;
    shmem_barrier_all();
    double results[64] = {0};
    REQUIRE(shmemx_rpc_team(SHMEM_TEAM_WORLD, results, twice, numbers, 0.25) == 0, "status %d", shmemx_rpc_status());
    for (int pe = 0; pe < pes; pe++) REQUIRE(results[pe] == 20.0 * pe + 0.25, "PE %d: %g", pe, results[pe]);
    shmem_barrier_all();
    REQUIRE(numbers[1] == pes, "%ld calls", numbers[1]);

    shmem_team_t odd = SHMEM_TEAM_INVALID;
    int members = pes / 2;
    if (members) shmem_team_split_strided(SHMEM_TEAM_WORLD, 1, 2, members, NULL, 0, &odd);
    if (odd != SHMEM_TEAM_INVALID) {
        REQUIRE(shmemx_rpc_team(odd, results, twice, numbers, 1.0) == 0, "a team of its own");
        for (int i = 0; i < members; i++) REQUIRE(results[i] == 20.0 * (2 * i + 1) + 1, "member %d: %g", i, results[i]);
        REQUIRE(shmemx_rpc_team(odd, NULL, touch, numbers) == 0, "without results");
    }
    shmem_barrier_all();
    REQUIRE(numbers[1] == pes + (me % 2 ? members : 0), "%ld calls", numbers[1]);
    REQUIRE(numbers[2] == (me % 2 ? members : 0), "%ld calls without result", numbers[2]);
    return test_end();
}
