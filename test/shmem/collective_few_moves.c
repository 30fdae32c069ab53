// SPDX-License-Identifier: BSD-3-Clause
// The collectives that move data, on one type.
// ways: 2:2:tcp 6:2:all 8:2:tcp 3:3:tcp 9:3:tcp 12:3:all 4:4:tcp 12:4:all 16:4:tcp 5:3:tcp
#include "few_types.h"

static void try_broadcast(const struct test_team *team, size_t count, int root) {
    prepare(count);
    if (team->team == SHMEM_TEAM_INVALID) return;
    shmem_int_broadcast(team->team, dest, source, count, root);
    for (size_t i = 0; i < count; i++) require_value(team, "broadcast", i, value(team_world(team, root), i));
    require_end(team, count, "broadcast");
}

static void try_fcollect(const struct test_team *team, size_t count) {
    if (count * (size_t)pes > COUNT_MAX) return;
    prepare(count);
    if (team->team == SHMEM_TEAM_INVALID) return;
    shmem_int_fcollect(team->team, dest, source, count);
    for (int r = 0; r < team->size; r++)
        for (size_t i = 0; i < count; i++)
            require_value(team, "fcollect", (size_t)r * count + i, value(team_world(team, r), i));
    require_end(team, (size_t)team->size * count, "fcollect");
}

static void try_collect(const struct test_team *team, size_t count) {
    if (count * (size_t)pes > COUNT_MAX) return;
    prepare(count);
    if (team->team == SHMEM_TEAM_INVALID) return;
    size_t at = 0;
    shmem_int_collect(team->team, dest, source, count - count * (size_t)(team->rank % 3) / 2);
    for (int r = 0; r < team->size; r++)
        for (size_t i = 0; i < count - count * (size_t)(r % 3) / 2; i++)
            require_value(team, "collect", at++, value(team_world(team, r), i));
    require_end(team, at, "collect");
}

static void try_alltoall(const struct test_team *team, size_t count) {
    if (count * (size_t)pes > COUNT_MAX) return;
    prepare(count * (size_t)pes);
    if (team->team == SHMEM_TEAM_INVALID) return;
    shmem_int_alltoall(team->team, dest, source, count);
    for (int r = 0; r < team->size; r++)
        for (size_t i = 0; i < count; i++)
            require_value(team, "alltoall", (size_t)r * count + i,
                          value(team_world(team, r), (size_t)team->rank * count + i));
    require_end(team, (size_t)team->size * count, "alltoall");
}

static void try_alltoalls(const struct test_team *team, size_t count) {
    if (2 * count * (size_t)pes > COUNT_MAX) return;
    prepare(2 * count * (size_t)pes);
    if (team->team == SHMEM_TEAM_INVALID) return;
    shmem_int_alltoalls(team->team, dest, source, 2, 1, count);
    for (int r = 0; r < team->size; r++)
        for (size_t i = 0; i < count; i++) {
            size_t at = 2 * ((size_t)r * count + i);
            require_value(team, "alltoalls", at, value(team_world(team, r), (size_t)team->rank * count + i));
            require_value(team, "alltoalls", at + 1, -1);
        }
}

static void try_moves(const struct test_team *team, size_t count) {
    try_broadcast(team, count, calls & 1 && team->size > 0 ? team->size - 1 : 0);
    try_fcollect(team, count);
    try_collect(team, count);
    try_alltoall(team, count);
    try_alltoalls(team, count);
}

int main(void) {
    try_all(try_moves);
    return test_end();
}
