// SPDX-License-Identifier: BSD-3-Clause
// The collectives that combine data, on two types.
// ways: 2:2:tcp 6:2:all 8:2:tcp 3:3:tcp 9:3:tcp 12:3:all 4:4:tcp 12:4:all 16:4:tcp 5:3:tcp 64:4:tcp
#include "few_types.h"

#define REALS 24

static float source_real[REALS], dest_real[REALS];

static void try_reductions(const struct test_team *team, size_t count, bool in_place) {
    prepare(count);
    if (team->team == SHMEM_TEAM_INVALID) return;
    int *from = source;
    if (in_place) {
        for (size_t i = 0; i < count; i++) dest[i] = source[i];
        from = dest;
    }
    bool largest = count % 2;
    if (largest) shmem_int_max_reduce(team->team, dest, from, count);
    else shmem_int_sum_reduce(team->team, dest, from, count);
    for (size_t i = 0; i < count; i++) {
        int wanted = 0;
        for (int r = 0; r < team->size; r++) {
            int one = value(team_world(team, r), i);
            if (!largest) wanted += one;
            else if (r == 0 || one > wanted) wanted = one;
        }
        require_value(team, largest ? "max" : "sum", i, wanted);
    }
    require_end(team, count, "reduction");
}

static void try_scans(const struct test_team *team, size_t count, bool exclusive) {
    prepare(count);
    if (team->team == SHMEM_TEAM_INVALID) return;
    int *from = source;
    if (count % 2) {
        for (size_t i = 0; i < count; i++) dest[i] = source[i];
        from = dest;
    }
    if (exclusive) shmem_int_sum_exscan(team->team, dest, from, count);
    else shmem_int_sum_inscan(team->team, dest, from, count);
    for (size_t i = 0; i < count; i++) {
        int wanted = 0;
        for (int r = 0; r < team->rank + !exclusive; r++) wanted += value(team_world(team, r), i);
        require_value(team, exclusive ? "exscan" : "inscan", i, wanted);
    }
    require_end(team, count, "scan");
}

// Zeros of both signs: whichever is the largest, all members have the same one.
static void try_same_bits(const struct test_team *team, size_t count) {
    calls++;
    for (size_t i = 0; i < count; i++) source_real[i] = (me + (int)i) % 2 ? 0.0f : -0.0f;
    shmem_sync_all();
    if (team->team != SHMEM_TEAM_INVALID) {
        shmem_float_max_reduce(team->team, dest_real, source_real, count);
        shmem_team_sync(team->team);
        uint32_t mine[REALS], first[REALS];
        memcpy(mine, dest_real, count * sizeof *mine);
        shmem_getmem(first, dest_real, count * sizeof *first, team_world(team, 0));
        for (size_t i = 0; i < count; i++)
            REQUIRE(mine[i] == first[i], "max on %s: element %d has other bits than on member 0", team->name, (int)i);
    }
    shmem_sync_all();
}

static void try_sums(const struct test_team *team, size_t count) {
    try_reductions(team, count, count % 3 == 0);
    try_scans(team, count, count % 3 == 0);
    if (count <= REALS) try_same_bits(team, count);
}

int main(void) {
    try_all(try_sums);
    return test_end();
}
