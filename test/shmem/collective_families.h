// SPDX-License-Identifier: BSD-3-Clause
// The collectives that move data behind one signature each, in a table over the types.
#ifndef SKERRY_TEST_SHMEM_COLLECTIVE_FAMILIES_H
#define SKERRY_TEST_SHMEM_COLLECTIVE_FAMILIES_H

#include "teams.h"

#include <skerry/shmem/types.h>

typedef int (*collective_blocks)(shmem_team_t team, void *dest, const void *source, size_t count);

struct collective_family {
    const char *name;
    size_t size;
    int (*broadcast)(shmem_team_t team, void *dest, const void *source, size_t count, int root);
    collective_blocks collect, fcollect, alltoall;
    int (*alltoalls)(shmem_team_t team, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t count);
};

#define COLLECTIVE_THUNKS(LABEL, BROADCAST, COLLECT, FCOLLECT, ALLTOALL, ALLTOALLS)                                    \
    static int broadcast_##LABEL(shmem_team_t team, void *dest, const void *source, size_t count, int root) {          \
        return BROADCAST(team, dest, source, count, root);                                                             \
    }                                                                                                                  \
    static int collect_##LABEL(shmem_team_t team, void *dest, const void *source, size_t count) {                      \
        return COLLECT(team, dest, source, count);                                                                     \
    }                                                                                                                  \
    static int fcollect_##LABEL(shmem_team_t team, void *dest, const void *source, size_t count) {                     \
        return FCOLLECT(team, dest, source, count);                                                                    \
    }                                                                                                                  \
    static int alltoall_##LABEL(shmem_team_t team, void *dest, const void *source, size_t count) {                     \
        return ALLTOALL(team, dest, source, count);                                                                    \
    }                                                                                                                  \
    static int alltoalls_##LABEL(shmem_team_t team, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst,      \
                                 size_t count) {                                                                       \
        return ALLTOALLS(team, dest, source, dst, sst, count);                                                         \
    }
#define COLLECTIVE_TYPED(NAME, TYPE)                                                                                   \
    COLLECTIVE_THUNKS(NAME, shmem_##NAME##_broadcast, shmem_##NAME##_collect, shmem_##NAME##_fcollect,                 \
                      shmem_##NAME##_alltoall, shmem_##NAME##_alltoalls)
SKERRY_FAMILY(RMA, COLLECTIVE_TYPED)
COLLECTIVE_THUNKS(mem, shmem_broadcastmem, shmem_collectmem, shmem_fcollectmem, shmem_alltoallmem, shmem_alltoallsmem)

#define COLLECTIVE_ROW(LABEL, BYTES)                                                                                   \
    {#LABEL, BYTES, broadcast_##LABEL, collect_##LABEL, fcollect_##LABEL, alltoall_##LABEL, alltoalls_##LABEL},
#define COLLECTIVE_TYPED_ROW(NAME, TYPE) COLLECTIVE_ROW(NAME, sizeof(TYPE))
static const struct collective_family collective_families[] = {SKERRY_FAMILY(RMA, COLLECTIVE_TYPED_ROW)
                                                                   COLLECTIVE_ROW(mem, 1)};
#define COLLECTIVE_FAMILIES TEST_COUNT(collective_families)

// Bytes that PE `pe` sends to rank `to` in call `call`.
TEST_UNUSED static uint64_t collective_seed(size_t call, int pe, int to) {
    return call * 101 + (uint64_t)pe * 11 + (uint64_t)to * 3;
}

TEST_UNUSED static void require_block(const void *block, size_t bytes, uint64_t seed, const char *what,
                                      const char *family, const char *team, size_t count, int from) {
    size_t wrong = test_first_wrong(block, bytes, seed);
    REQUIRE(wrong == bytes, "%s %s of %zu on team %s: byte %zu from member %d is wrong", family, what, count, team,
            wrong, from);
}

TEST_UNUSED static void require_guard(const void *end, size_t bytes, const char *what, const char *family,
                                      const char *team, size_t count) {
    REQUIRE(test_all_guard(end, bytes), "%s %s of %zu on team %s: wrote past its result", family, what, count, team);
}

#endif
